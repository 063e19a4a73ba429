export { Link, navigate, usePath } from "./router.tsx";
