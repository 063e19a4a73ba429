import { MtTimeoutError, type RpcCallMiddleware, type TelegramTransport, type tl } from "@mtcute/core";
import { BaseTelegramClient } from "@mtcute/core/client.js";
import { ConnectError, type GuardedSockets } from "../../../kernel/outbound/index.ts";
import { CannotOpen } from "../connections/index.ts";
import type { AccountRef } from "../contract.ts";
import { type ProxyAddress, readProxy, shownProxy } from "../proxy.ts";
import type { SessionStore } from "../session-store.ts";
import type { DataCentre } from "../sessions/data-centres.ts";
import type { ForeignSession } from "../sessions/session-string.ts";
import { NodeCrypto } from "./crypto.ts";
import { type MtcuteLog, nodePlatform } from "./platform.ts";
import { type MtcuteStorage, openStorage } from "./storage.ts";
import { transportThrough } from "./transport.ts";

export interface MtcuteDeps {
  readonly sessions: SessionStore;
  readonly apiId: number;
  readonly apiHash: string;
  readonly log?: MtcuteLog;
  /** How long a call may take, including the wait for the connection. */
  readonly timeoutMs?: number;
  /** Connections to addresses that people entered: public ones only. */
  readonly sockets: GuardedSockets;
  /** Replaces Telegram's own address. */
  readonly centre?: Pick<DataCentre, "ipAddress" | "port">;
  /** Telegram's test servers instead of the real ones. */
  readonly testServers?: boolean;
  /** Replaces the network; tests answer there. */
  readonly network?: { readonly transport: TelegramTransport; readonly answer?: RpcCallMiddleware };
}

/** An account's client, with what a caller needs when no answer comes. */
export interface MtcuteSession {
  readonly client: BaseTelegramClient;
  readonly apiId: number;
  readonly apiHash: string;
  call<T extends tl.RpcMethod>(request: T, signal?: AbortSignal): Promise<tl.RpcCallReturn[T["_"]]>;
  /** Several calls that mtcute makes as one, within the time limit of one call. */
  run<T>(
    work: (client: BaseTelegramClient, signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** Whether Telegram may have received something since that moment. */
  heardSince(moment: number): boolean;
  /** Takes the key of another program; everything else is deleted. */
  adopt(session: ForeignSession): Promise<void>;
  shut(): Promise<void>;
}

const callWithinMs = 30_000;
const crypto = new NodeCrypto();

export async function openSession(deps: MtcuteDeps, account: AccountRef): Promise<MtcuteSession> {
  const { apiId, apiHash, timeoutMs = callWithinMs } = deps;
  const values = deps.sessions.values(account);
  const hearing = { now: false, last: -Infinity };
  const proxy = account.proxy === undefined ? undefined : await reachableProxy(account.proxy, deps.sockets);
  const transport = deps.network?.transport ?? transportThrough(proxy, deps.sockets);
  // Before mtcute, which must not fail while it loads.
  await crypto.initialize();
  let storage = await openStorage(values);
  let client = newClient({ ...deps, transport }, account, storage, hearing);

  return {
    get client() {
      return client;
    },
    apiId,
    apiHash,
    async call(request, signal) {
      const answer = await client.call(request, {
        timeout: timeoutMs,
        ...(signal && { abortSignal: signal }),
      });
      await storage.settle();
      return answer;
    },
    async run(work, signal) {
      const result = await withinTime(timeoutMs, signal, (limit) => work(client, limit));
      await storage.settle();
      return result;
    },
    heardSince: (moment) => hearing.now || hearing.last >= moment,
    async adopt({ authKey, centre }) {
      await client.destroy();
      await values.clear();
      storage = await openStorage(values);
      client = newClient({ ...deps, transport }, account, storage, hearing);
      const main = { ...centre, ...deps.centre };
      await client.importSession({ authKey, primaryDcs: { main, media: main } }, true);
      await storage.settle();
    },
    async shut() {
      await client.destroy();
      await storage.settle();
    },
  };
}

/** Aborts on timeout or when the caller's signal aborts. */
async function withinTime<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const giveUp = () => limit.abort(outer?.reason ?? new MtTimeoutError(ms));
  const timer = setTimeout(giveUp, ms);
  outer?.addEventListener("abort", giveUp, { once: true });
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", giveUp);
  }
}

/**
 * Updates are off: nothing is read here, and an account that only writes makes fewer requests. mtcute's own waiting for
 * floods is off too: Molva decides the pace.
 */
function newClient(
  deps: MtcuteDeps & { readonly transport: TelegramTransport },
  account: AccountRef,
  { provider }: MtcuteStorage,
  hearing: { now: boolean; last: number },
): BaseTelegramClient {
  const { device } = account;
  const client = new BaseTelegramClient({
    apiId: deps.apiId,
    apiHash: deps.apiHash,
    testMode: deps.testServers ?? false,
    storage: provider,
    storageOptions: { cleanup: false },
    crypto,
    platform: nodePlatform(deps.log),
    transport: deps.transport,
    disableUpdates: true,
    initConnectionOptions: { ...device, systemLangCode: device.langCode },
    network: { middlewares: deps.network?.answer ? [deps.network.answer] : [] },
  });
  client.onConnectionState.add((state) => {
    if (hearing.now) hearing.last = performance.now();
    hearing.now = state === "connected";
  });
  client.onError.add((error) => deps.log?.(error.message));
  return client;
}

/**
 * mtcute retries connecting for ever, so the proxy is checked first. A proxy that cannot be parsed must not mean a
 * direct connection: the account would appear from another address.
 */
async function reachableProxy(text: string, sockets: GuardedSockets): Promise<ProxyAddress> {
  const proxy = readProxy(text);
  if (!proxy) throw new CannotOpen("the account's proxy cannot be read; set it again");
  try {
    (await sockets.open(proxy.host, proxy.port)).destroy();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    throw new CannotOpen(`the proxy ${shownProxy(proxy)} cannot be reached: ${error.message}`);
  }
  return proxy;
}
