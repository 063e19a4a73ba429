/** The HTTP server, its callers and their scopes, and what modules need to add routes. */
export type { App, RouteModule } from "./app.ts";
export { type Caller, callerOf, requireWorkspace } from "./auth/caller.ts";
export { type Scope, scopeMeanings, scopes } from "./auth/scopes.ts";
export { idText, wholeId } from "./ids.ts";
export { ListenError } from "./listen-failure.ts";
export { http } from "./module.ts";
export { openapi } from "./openapi.ts";
export { type ApiToken, createApiToken, listApiTokens, revokeApiToken } from "./operators/api-tokens.ts";
export { forgetExpired } from "./operators/forget-expired.ts";
export {
  addOperator,
  ensureAdmin,
  listOperators,
  type Operator,
  setDisabled,
  setPassword,
} from "./operators/operators.ts";
export { createSignInLink, signInUrl } from "./operators/signin-links.ts";
export { errorsFromIssues, pointerTo } from "./problems/from-zod.ts";
export {
  Problem,
  type ProblemDetails,
  type ProblemError,
  type ProblemTable,
  problem,
  problemsOf,
} from "./problems/index.ts";
export { problemSchema } from "./problems/schema.ts";
export { textFaults } from "./problems/text-faults.ts";
export { inOurWords } from "./problems/words.ts";
export { createHttpServer, type HttpServer, problemsOfAll } from "./server.ts";
export type { HttpSettings } from "./settings.ts";
export { isFromThisMachine } from "./this-machine.ts";
export { isSignedByUpstash, type SignedRequest } from "./upstash-signature.ts";
export { lineOfText } from "./validation.ts";
