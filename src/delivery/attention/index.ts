/** What a person should look at: failures by cause, and what stands still. */
export { attentionRoutes } from "./attention-routes.ts";
export { type Failure, type Failures, failuresSince } from "./failures.ts";
export { remedies } from "./remedies.ts";
