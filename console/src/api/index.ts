export {
  type Attention,
  type Failure,
  type NamedChannel,
  type PlanEntry,
  type RecentPost,
  type StoppedChannel,
  useAttention,
  usePlanUntil,
  useRecentPosts,
} from "./attention.ts";
export { createClient } from "./client.ts";
export { type Acceptance, useAcceptInvitation, useInvitation } from "./invitation.ts";
export { type PagedList, type Query, useList, withQuery } from "./lists.ts";
export { useOverview } from "./overview.ts";
export { type Recovery, useRecover, useRecoverable } from "./recover.ts";
export { ask, askForAll, Refused, tell, Unreachable } from "./request.ts";
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
  type PasswordChange,
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
export { type Liveness, useStream } from "./stream.ts";
export { useChange, useThing } from "./things.ts";
export { type NewToken, useCreateToken, useRevokeToken, useSetTokenNetworks, useTokens } from "./tokens.ts";
