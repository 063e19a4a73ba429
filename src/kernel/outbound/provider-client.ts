/** The client for addresses from the configuration, such as API roots of providers. Follows no redirects. */
import type { OwnedHttpClient } from "./contract.ts";
import { withDeadline } from "./deadline.ts";
import { createDispatcher } from "./dispatcher.ts";
import { exchange } from "./exchange.ts";

export interface ClientSettings {
  readonly extraCa?: string;
  readonly proxy?: string;
  readonly connectTimeoutMs?: number;
  readonly defaultTimeoutMs?: number;
  readonly maxBytes?: number;
}

export const clientDefaults = { timeoutMs: 30_000, maxBytes: 10 * 1024 * 1024 } as const;

export function createProviderClient(settings: ClientSettings = {}): OwnedHttpClient {
  const { dispatcher, close } = createDispatcher(settings);
  return {
    request: (request) =>
      withDeadline(
        request.timeoutMs ?? settings.defaultTimeoutMs ?? clientDefaults.timeoutMs,
        request.signal,
        (signal) =>
          exchange(dispatcher, request, {
            signal,
            maxBytes: request.maxBytes ?? settings.maxBytes ?? clientDefaults.maxBytes,
          }),
      ),
    close,
  };
}
