import { setMaxListeners } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { createDataForSeoTwin } from "./dataforseo/index.ts";
import { createFirecrawlTwin } from "./firecrawl/index.ts";
import { createIndexNowTwin } from "./indexnow/index.ts";
import { createOpenAiTwin, createOpenRouterTwin } from "./llm/index.ts";
import { createMaxTwin } from "./max/index.ts";
import { createOidcTwin } from "./oidc/index.ts";
import { createPageSpeedTwin } from "./pagespeed/index.ts";
import { createPinterestTwin } from "./pinterest/index.ts";
import { createQStashTwin } from "./qstash/index.ts";
import { createSearchConsoleTwin } from "./searchconsole/index.ts";
import { createSentryTwin } from "./sentry/index.ts";
import { createSerperTwin } from "./serper/index.ts";
import { blobRoutes } from "./shared/blob-route.ts";
import { folderBlobStore, memoryBlobStore } from "./shared/blobs.ts";
import { createBus } from "./shared/bus.ts";
import { controlRoutes } from "./shared/control.ts";
import { createFaults } from "./shared/faults.ts";
import type { TwinContext, TwinFactory, TwinLog } from "./shared/index.ts";
import { createJournal } from "./shared/journal.ts";
import { pageRoutes } from "./shared/page.ts";
import { parsedUrl } from "./shared/parsed-url.ts";
import { folderStateStore, memoryStateStore } from "./shared/state.ts";
import { createTelegramTwin } from "./telegram/index.ts";
import { createTelegramAccountTwin } from "./telegram-account/index.ts";
import { createTelegraphTwin } from "./telegraph/index.ts";
import { createVkTwin } from "./vk/index.ts";
import { createWebmasterTwin } from "./webmaster/index.ts";
import { createWordPressTwin } from "./wordpress/index.ts";
import { createYandexTwin } from "./yandex/index.ts";
import { createYooKassaTwin } from "./yookassa/index.ts";

/** Every provider that is emulated. */
const registry: readonly TwinFactory[] = [
  createTelegramTwin,
  createTelegramAccountTwin,
  createMaxTwin,
  createOpenRouterTwin,
  createOpenAiTwin,
  createTelegraphTwin,
  createWordPressTwin,
  createVkTwin,
  createPinterestTwin,
  createIndexNowTwin,
  createYooKassaTwin,
  createDataForSeoTwin,
  createSerperTwin,
  createFirecrawlTwin,
  createPageSpeedTwin,
  createYandexTwin,
  createSearchConsoleTwin,
  createWebmasterTwin,
  createQStashTwin,
  createSentryTwin,
  createOidcTwin,
];

export interface TwinsSettings {
  readonly port: number;
  /** Loopback only: anybody who reaches the twins may read every chat and write into it. */
  readonly host?: "127.0.0.1" | "::1";
  /** A folder for state and files; without it everything is in memory. */
  readonly home?: string | undefined;
  /** The folder of the built web pages, which holds `playground.html`. */
  readonly web?: string | undefined;
  readonly insecureWebhooks: boolean;
  readonly rateLimits?: boolean | undefined;
  readonly chatBurst?: number | undefined;
  /** The public address of the twins if a proxy is before them; by default the one they listen on. */
  readonly publicUrl?: string | undefined;
  /** Serve https with this certificate, for clients that must prove they trust a private root. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  readonly clock?: { now(): number } | undefined;
  readonly random?: (() => number) | undefined;
  readonly log?: TwinLog | undefined;
  /** Twins of providers that exist only in a test. */
  readonly beside?: readonly TwinFactory[] | undefined;
}

export interface RunningTwins {
  readonly url: string;
  readonly context: TwinContext;
  close(): Promise<void>;
}

/** All twins in one process on one port. Port 0 takes any free one. */
export async function startTwins(settings: TwinsSettings): Promise<RunningTwins> {
  const log = settings.log ?? silentLog;
  const base = settings.clock ?? { now: () => Date.now() };
  let aheadMs = 0;
  const clock = { now: () => base.now() + aheadMs };
  const stopping = new AbortController();
  // Every delayed call listens to it.
  setMaxListeners(0, stopping.signal);
  const state = settings.home ? folderStateStore(settings.home, log) : memoryStateStore();
  const options = {
    baseUrl: "",
    insecureWebhooks: settings.insecureWebhooks,
    rateLimits: settings.rateLimits ?? true,
    chatBurst: settings.chatBurst ?? 3,
  };
  const context: TwinContext = {
    clock,
    options,
    state,
    blobs: settings.home ? folderBlobStore(join(settings.home, "blobs")) : memoryBlobStore(),
    faults: createFaults({ clock, random: settings.random ?? Math.random }),
    journal: createJournal(clock),
    bus: createBus(),
    log,
    stopping: stopping.signal,
  };
  const twins = [...registry, ...(settings.beside ?? [])].map((create) => create(context));

  const app = createApp(settings);
  refuseForeignPages(app);
  answerErrorsAsJson(app, log);
  await app.register((scope) => pageRoutes(scope, settings.web));
  await app.register((scope) => blobRoutes(scope, context.blobs));
  await app.register((scope) =>
    controlRoutes(scope, {
      context,
      twins,
      setOptions: (change) => Object.assign(options, change),
      moveClock(ms) {
        aheadMs = Math.max(aheadMs, ms);
        return aheadMs;
      },
      aheadMs: () => aheadMs,
    }),
  );
  for (const twin of twins) await app.register((scope) => twin.mount(scope));

  async function close(): Promise<void> {
    stopping.abort();
    for (const twin of twins) await twin.stop?.();
    await app.close();
    await state.flush();
  }

  let url: string;
  try {
    const address = await app.listen({ port: settings.port, host: settings.host ?? "127.0.0.1" });
    // Fastify cannot see that the server it was given speaks https.
    url = settings.tls ? address.replace(/^http:/, "https:") : address;
    options.baseUrl = settings.publicUrl ?? url;
  } catch (error) {
    await close();
    throw error;
  }
  return { url, context, close };
}

function createApp({ tls }: TwinsSettings): FastifyInstance {
  return Fastify({
    // Open and polling connections must not keep the process alive.
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // Tokens and upload names are longer than the router's own limit of 100.
    routerOptions: { maxParamLength: 1_000 },
    serverFactory: (handler) => (tls ? createHttpsServer(tls, handler) : createHttpServer(handler)),
  });
}

/**
 * A page from elsewhere in the same browser can send simple requests to a loopback port, and its site can point its own
 * name to it. It must neither read nor control the twins, so requests with a foreign origin or host name are refused.
 */
function refuseForeignPages(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    const { origin, host } = request.headers;
    if (!ownName.test(host ?? ""))
      return reply.code(403).send({ error: "the twins answer to localhost and 127.0.0.1 only" });
    if (!origin || !request.url.startsWith("/_control")) return;
    if (parsedUrl(origin)?.host !== host) {
      return reply.code(403).send({ error: "the control API is not for pages of other sites" });
    }
  });
}

const ownName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

function answerErrorsAsJson(app: FastifyInstance, log: TwinLog): void {
  app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) log.warn({ error, path: request.routeOptions.url }, "a twin failed");
    return reply.code(status).send({ error: status >= 500 ? "the twin failed; see its log" : error.message });
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: "there is nothing here" }));
}

const silentLog: TwinLog = { info: () => {}, warn: () => {} };
