/** `/api/health` of the document. */
export { healthOf } from "./checks.ts";
export { healthRoute } from "./health-route.ts";
