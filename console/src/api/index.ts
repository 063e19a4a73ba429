export { createClient } from "./client.ts";
export { type Acceptance, useAcceptInvitation, useInvitation } from "./invitation.ts";
export { useOverview } from "./overview.ts";
export { type Recovery, useRecover, useRecoverable } from "./recover.ts";
export { Refused, Unreachable } from "./request.ts";
export {
  type Proof,
  useBeginFactor,
  useConfirmFactor,
  useRemoveFactor,
  useRenewRecoveryCodes,
  useSecondFactor,
} from "./second-factor.ts";
export {
  type Credentials,
  useReadSession,
  useSession,
  useSetPassword,
  useSignIn,
  useSignInMethods,
  useSignOut,
} from "./session.ts";
export {
  type CreatedToken,
  type DeliveryEvent,
  type Invitation,
  type Minute,
  type Overview,
  type Queue,
  type Recovered,
  type Scope,
  type Session,
  scopes,
  type Token,
  type Workspace,
} from "./shapes.ts";
export { type NewToken, useCreateToken, useRevokeToken, useTokens } from "./tokens.ts";
