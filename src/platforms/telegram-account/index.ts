export {
  type AccountChat,
  type AccountClient,
  type AccountDriver,
  type AccountErrorCode,
  type AccountLogins,
  type AccountPerson,
  type AccountPost,
  type AccountRef,
  type Answer,
  accountErrorCodes,
  type DeviceParameters,
  type JoinedChat,
  type LoginErrorCode,
  loginErrorCodes,
  type PasswordNeeded,
  type QrCode,
  type SentCode,
  type SignedIn,
} from "./contract.ts";
export { type ChatLink, readChatLink } from "./links.ts";
export { createMtcuteDriver, type MtcuteDriverDeps } from "./mtcute-driver.ts";
export { type ProxyAddress, readProxy, shownProxy } from "./proxy.ts";
export type {
  Leases,
  SessionId,
  SessionStore,
  SessionValues,
  StoredValue,
  ValueKind,
} from "./session-store.ts";
export { createTwinDriver, type TwinDriverDeps } from "./twin-driver/index.ts";
