export { createClient } from "./client.ts";
export { useOverview } from "./overview.ts";
export { type Recovery, useRecover, useRecoverable } from "./recover.ts";
export { Refused, Unreachable } from "./request.ts";
export { type Credentials, useSession, useSetPassword, useSignIn, useSignOut } from "./session.ts";
export {
  type CreatedToken,
  type DeliveryEvent,
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
