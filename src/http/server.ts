import cookie from "@fastify/cookie";
import fastify, { type FastifyBaseLogger } from "fastify";
import { serializerCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { Clock } from "../kernel/clock/index.ts";
import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { Log } from "../kernel/log/index.ts";
import type { Metrics } from "../kernel/metrics/index.ts";
import type { Service } from "../kernel/service/index.ts";
import type { App, RouteModule } from "./app.ts";
import { guardRoutes } from "./auth/guard.ts";
import { parseJsonBodies } from "./json-body.ts";
import { listenFailure } from "./listen-failure.ts";
import { observeRequests, requestIdOf } from "./observe.ts";
import { type Oidc, oidcRoutes } from "./oidc/oidc-routes.ts";
import { describeApi } from "./openapi.ts";
import { createPasswordWork } from "./operators/password-work.ts";
import { secondFactorRoutes } from "./operators/second-factor/second-factor-routes.ts";
import { consoleAssets, consolePage } from "./pages/console.ts";
import { docsPages } from "./pages/docs.ts";
import { playgroundRedirect } from "./pages/playground.ts";
import { securityHeaders } from "./pages/security-headers.ts";
import { answerError } from "./problems/handler.ts";
import { httpProblems, type ProblemTable } from "./problems/index.ts";
import { collectMethods, refuseOtherMethods } from "./problems/method-not-allowed.ts";
import { healthRoutes, type ReadinessChecks } from "./routes/health.ts";
import { invitationRoutes } from "./routes/invitation.ts";
import { metricsRoute } from "./routes/metrics.ts";
import { sessionRoutes } from "./routes/session.ts";
import { sessionListRoutes } from "./routes/sessions.ts";
import type { ListWorkspaces } from "./routes/workspaces.ts";
import { type HttpLimits, type HttpSettings, httpLimits } from "./settings.ts";
import { endSlowRequests } from "./slow-bodies.ts";
import { trustOf } from "./trusted-proxies.ts";
import { validatorCompiler } from "./validation.ts";

export interface HttpDeps {
  readonly settings: HttpSettings;
  readonly log: Log;
  readonly sql: Sql;
  readonly clock: Clock;
  /** Opens what operators have stored encrypted: their second factors. */
  readonly vault: Vault;
  /** The provider that operators may sign in through. */
  readonly oidc?: Oidc | undefined;
  readonly metrics: Metrics;
  readonly modules: readonly RouteModule[];
  readonly ready: ReadinessChecks;
  readonly listWorkspaces: ListWorkspaces;
}

export interface HttpServer extends Service {
  readonly app: App;
  /** The address it listens on, such as `http://127.0.0.1:8080`; known after the start. */
  url(): string;
}

/** Builds the server with all its routes; it listens only after `start`. */
export async function createHttpServer(deps: HttpDeps): Promise<HttpServer> {
  const limits: HttpLimits = { ...httpLimits, ...deps.settings.limits };
  const app = await buildApp(deps, limits);
  const { host, port } = deps.settings;
  return {
    name: "http",
    app,
    url: () => app.listeningOrigin,
    async start() {
      try {
        await app.listen({ host, port });
      } catch (error) {
        throw listenFailure(error, { host, port });
      }
    },
    async stop() {
      // Idle connections are closed at once; what is still open after the grace period is an endless stream.
      const cut = setTimeout(() => app.server.closeAllConnections(), limits.stopWithinMs);
      try {
        await app.close();
      } finally {
        clearTimeout(cut);
      }
    },
  };
}

async function buildApp(deps: HttpDeps, limits: HttpLimits): Promise<App> {
  const { settings, sql, clock, vault, oidc, metrics, modules, listWorkspaces } = deps;
  const { publicUrl, requireSecondFactor = false } = settings;
  const auth = { sql, clock, publicUrl, requireSecondFactor };
  const app = bareApp(deps, limits);

  app.server.headersTimeout = limits.requestTimeoutMs;
  observeRequests(app, metrics);
  endSlowRequests(app, limits.requestTimeoutMs);
  closeConnectionsWhenStopping(app);
  await securityHeaders(app, settings);
  await app.register(cookie);
  await describeApi(app, settings);
  guardRoutes(app, auth);
  const methods = collectMethods(app);

  healthRoutes(app, {
    checks: deps.ready,
    clock,
    withinMs: limits.readinessMs,
    keptMs: limits.readinessKeptMs,
  });
  metricsRoute(app, { metrics, auth });
  if (settings.operationsOnly) return app;

  const sessions = {
    ...{ ...auth, vault, listWorkspaces, passwordWork: createPasswordWork(limits.passwordWork) },
    hasPlayground: settings.twinsUrl !== undefined,
  };
  sessionRoutes(app, sessions);
  sessionListRoutes(app, auth);
  invitationRoutes(app, sessions);
  secondFactorRoutes(app, sessions);
  oidcRoutes(app, { ...auth, oidc });
  for (const module of modules) {
    await app.register(async (scope) => module.routes(scope.withTypeProvider<ZodTypeProvider>()));
  }
  if (settings.twinsUrl) playgroundRedirect(app, settings.twinsUrl);
  refuseOtherMethods(app, methods);

  await docsPages(app, problemsOfAll(modules));
  await consoleAssets(app, settings.webFolder);
  app.setNotFoundHandler(consolePage(settings.webFolder));
  return app;
}

function bareApp({ settings, log, clock }: HttpDeps, limits: HttpLimits): App {
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    logController: new fastify.LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "request_id",
    }),
    genReqId: (request) => requestIdOf(request, clock),
    trustProxy: trustOf(settings.trustProxy),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.uploadTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Requests on open connections are answered even while the server stops.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.header("x-request-id", request.id);
      answerError(error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerError);
  parseJsonBodies(app);
  return app;
}

/** Closes a connection after an answer sent while the server stops; it would otherwise stay open for the next request. */
function closeConnectionsWhenStopping(app: App): void {
  let stopping = false;
  app.addHook("preClose", async () => {
    stopping = true;
  });
  app.addHook("onSend", async (_request, reply) => {
    if (stopping) reply.header("connection", "close");
  });
}

/** The problem codes of the server and of every module, for the reference. */
export function problemsOfAll(modules: readonly RouteModule[]): ProblemTable {
  return Object.assign({}, httpProblems, ...modules.map((module) => module.problems ?? {}));
}
