/** The HTTP server, its callers and their scopes, and what modules need to add routes. */
export type { App, RouteModule } from "./app.ts";
export { auditRequest } from "./auth/audit-request.ts";
export {
  type Caller,
  callerOf,
  coversInstallation,
  mayEnter,
  requireInstallation,
  requireOperator,
  requireScope,
  requireWorkspace,
  workspacesWith,
} from "./auth/caller.ts";
export { type Role, roleScopes, roles } from "./auth/roles.ts";
export { type Scope, scopeMeanings, scopes } from "./auth/scopes.ts";
export { stillHolds } from "./auth/still-holds.ts";
export { signInSettings } from "./environment.ts";
export { idText, wholeId } from "./ids.ts";
export { ListenError, listenFailure } from "./listen-failure.ts";
export { http } from "./module.ts";
export { areWithin, isWithin, isWithinAll, networkList, type Reach, reachShape } from "./networks.ts";
export type { Oidc } from "./oidc/oidc-routes.ts";
export { openapi } from "./openapi.ts";
export {
  type ApiToken,
  createApiToken,
  listApiTokens,
  readApiToken,
  revokeApiToken,
  setTokenNetworks,
} from "./operators/api-tokens.ts";
export { forgetExpired } from "./operators/forget-expired.ts";
export {
  type Invitation,
  type InvitedRole,
  invitationUrl,
  invite,
  listInvitations,
  revokeInvitation,
} from "./operators/invitations.ts";
export { addMember, listMembers, type MemberChange, setMemberRole } from "./operators/members.ts";
export {
  addOperator,
  ensureAdmin,
  findOperator,
  listOperators,
  normalizeLogin,
  type Operator,
  setOperator,
  setPassword,
} from "./operators/operators.ts";
export { resetOperator } from "./operators/reset-operator.ts";
export { type FactorReset, resetSecondFactor } from "./operators/second-factor/factors.ts";
export { endSession, listSessions, type SessionRow } from "./operators/sessions.ts";
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
export { type JobCall, type UpstashDeps, upstashRoutes } from "./upstash-routes.ts";
export { lineOfText } from "./validation.ts";
