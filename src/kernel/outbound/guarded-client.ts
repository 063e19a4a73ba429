/** The only client for addresses from users, feeds or models. Checks each URL, each redirect and each resolved address. */
import type { Dispatcher } from "undici";
import type { HttpFailure, HttpRequest, HttpResult, OwnedHttpClient } from "./contract.ts";
import { withDeadline } from "./deadline.ts";
import { createDispatcher } from "./dispatcher.ts";
import { type Bounds, exchange } from "./exchange.ts";
import { createGuard, type Guard, type Resolve } from "./guard.ts";
import { type ClientSettings, clientDefaults } from "./provider-client.ts";
import { redirected } from "./redirect.ts";

export interface GuardedSettings extends ClientSettings {
  /** Addresses that are allowed although they are not public, each `host:port`. */
  readonly allowHosts?: readonly string[];
  readonly maxRedirects?: number;
  /** The system's resolver unless given. */
  readonly resolve?: Resolve;
}

export interface GuardedClient extends OwnedHttpClient {
  /** A brand, so that a provider client cannot be passed where this one is needed. */
  readonly guarded: true;
}

const defaultMaxRedirects = 5;

export function createGuardedClient(settings: GuardedSettings = {}): GuardedClient {
  const guard = createGuard(settings.allowHosts ?? [], settings.resolve);
  // No keep-alive: such a server is seldom asked twice, and its name must be resolved and checked each time.
  const { dispatcher, close } = createDispatcher(
    { ...settings, addressesOf: guard.addressesOf },
    { pipelining: 0 },
  );
  const maxRedirects = settings.maxRedirects ?? defaultMaxRedirects;

  return {
    request: (request) =>
      withDeadline(
        request.timeoutMs ?? settings.defaultTimeoutMs ?? clientDefaults.timeoutMs,
        request.signal,
        (signal) =>
          follow(request, request.maxRedirects ?? maxRedirects, guard, dispatcher, {
            signal,
            maxBytes: request.maxBytes ?? settings.maxBytes ?? clientDefaults.maxBytes,
          }),
      ),
    guarded: true,
    close,
  };
}

async function follow(
  first: HttpRequest,
  maxRedirects: number,
  guard: Guard,
  dispatcher: Dispatcher,
  bounds: Bounds,
): Promise<HttpResult> {
  let request = first;
  for (let hop = 0; ; hop++) {
    const refusal = guard.refusal(request.url);
    if (refusal) return failure("refused", refusal, hop > 0);
    const result = await exchange(dispatcher, request, bounds);
    if (result.kind === "failure") return { ...result, mayHaveArrived: result.mayHaveArrived || hop > 0 };
    const next = maxRedirects > 0 ? redirected(request, result) : undefined;
    if (!next) return result;
    if (hop === maxRedirects) return failure("protocol", `more than ${maxRedirects} redirects`, true);
    request = next;
  }
}

function failure(reason: HttpFailure["reason"], message: string, mayHaveArrived: boolean): HttpFailure {
  return { kind: "failure", reason, message, mayHaveArrived };
}
