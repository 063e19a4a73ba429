export { paramsOf } from "./params.ts";
export { Link, mayLeave, navigate, useLeaveGuard, usePath, useQueryOf } from "./router.tsx";
