export { readBody, TooLargeError } from "./body.ts";
export { ConnectError } from "./connect-error.ts";
export type { ConnectionSettings } from "./connector.ts";
export type {
  FailureReason,
  FormPart,
  HttpAnswer,
  HttpClient,
  HttpFailure,
  HttpHead,
  HttpRequest,
  HttpResult,
  OwnedHttpClient,
} from "./contract.ts";
export { DeadlineExceeded, untilAborted, withDeadline } from "./deadline.ts";
export { createDispatcher } from "./dispatcher.ts";
export { createGuard, type Guard } from "./guard.ts";
export { createGuardedClient, type GuardedClient, type GuardedSettings } from "./guarded-client.ts";
export { createGuardedSockets, type GuardedSockets } from "./guarded-sockets.ts";
export { openSocket } from "./open-socket.ts";
export { createProviderClient } from "./provider-client.ts";
export { isPublicAddress, unmapped } from "./public-address.ts";
export { limitReceived, TooMuchReceived } from "./received.ts";
