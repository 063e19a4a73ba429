import type { CompiledRequest } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import type { Connection } from "./client.ts";
import { sendMessage } from "./send-message.ts";

/** Send a request that carries no media. */
export function sendText(request: CompiledRequest, connection: Connection): Promise<RequestOutcome> {
  return sendMessage(request, request.body, connection);
}
