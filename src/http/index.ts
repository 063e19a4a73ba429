/** The HTTP server, who may call it, and what modules need to bring routes to it. */
export type { App, RouteModule } from "./app.ts";
export {
  type Caller,
  callerOf,
  type OperatorCaller,
  requireOperator,
  requireWorkspace,
  type TokenCaller,
} from "./auth/caller.ts";
export { type RouteScope, type Scope, scopeMeanings, scopes } from "./auth/scopes.ts";
export { idText, wholeId } from "./ids.ts";
export { ListenError } from "./listen-failure.ts";
export { http } from "./module.ts";
export { openapi } from "./openapi.ts";
export {
  type ApiToken,
  createApiToken,
  listApiTokens,
  type NewApiToken,
  revokeApiToken,
} from "./operators/api-tokens.ts";
export { forgetExpired } from "./operators/forget-expired.ts";
export {
  type AddOperatorResult,
  addOperator,
  ensureAdmin,
  listOperators,
  type Operator,
  type SetPasswordResult,
  setDisabled,
  setPassword,
} from "./operators/operators.ts";
export { createSignInLink, signInUrl } from "./operators/signin-links.ts";
export { errorsFromIssues, pointerTo } from "./problems/from-zod.ts";
export {
  httpProblems,
  Problem,
  type ProblemBody,
  type ProblemDetails,
  type ProblemError,
  type ProblemKind,
  type ProblemTable,
  problem,
  problemsOf,
} from "./problems/index.ts";
export { problemSchema } from "./problems/schema.ts";
export { textFaults } from "./problems/text-faults.ts";
export { inOurWords } from "./problems/words.ts";
export type { ReadinessChecks } from "./routes/health.ts";
export type { ListWorkspaces, WorkspaceSummary } from "./routes/workspaces.ts";
export { createHttpServer, type HttpDeps, type HttpServer, problemsOfAll } from "./server.ts";
export { type HttpLimits, type HttpSettings, httpLimits } from "./settings.ts";
export { isFromThisMachine } from "./this-machine.ts";
export { lineOfText } from "./validation.ts";
