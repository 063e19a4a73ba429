/** The composition root: the only file that knows every module. */

import {
  type AccountKey,
  accountsRoutes,
  createAccountWorker,
  createGovernor,
  createJoiner,
  createUseAccount,
  loginRoutes,
  proxyOf,
  seedAccounts,
  startDemoClock,
} from "./accounts/index.ts";
import { advisorRoutes } from "./advisor/index.ts";
import { advisorBot, seedAdvisorBot } from "./advisorbot/index.ts";
import {
  accountDriverOf,
  accountTwinOf,
  advisorSettingsOf,
  allowedHosts,
  apiRootOf,
  llmProvidersOf,
  mailerOf,
  maxBotOf,
  networkOf,
  openVault,
  platformsOf,
  publicUrlOf,
  secureUrlOf,
  storageOf,
  variablesOf,
} from "./configured/index.ts";
import {
  adapterRoutes,
  adminRoutes,
  createDispatcher,
  createMedia,
  createMediaKeeper,
  createMonitor,
  createPayloadStore,
  createPuller,
  deliveryRoutes,
  demo,
  exposeHealth,
  monitorRoutes,
  payloadRoutes,
  type SeedReport,
  seedDemo,
} from "./delivery/index.ts";
import { createTelegramBot, type TelegramBotDeps, telegramWebhooks } from "./dialogs/index.ts";
import { type App, createHttpServer, type ProblemTable, problemsOfAll } from "./http/index.ts";
import type { Clock } from "./kernel/clock/index.ts";
import { type Config, takesPublishedSecrets } from "./kernel/config/index.ts";
import {
  connect,
  createDatabaseClock,
  migrationStatus,
  readMigrationSources,
  type Sql,
} from "./kernel/db/index.ts";
import { createJobs } from "./kernel/jobs/index.ts";
import { createKeyValue } from "./kernel/kv/index.ts";
import type { Log } from "./kernel/log/index.ts";
import { createMetrics } from "./kernel/metrics/index.ts";
import { createGuardedClient, createGuardedSockets, createProviderClient } from "./kernel/outbound/index.ts";
import { paths, version } from "./kernel/paths/index.ts";
import { type Service, serviceGroup } from "./kernel/service/index.ts";
import { createGateway, createSeeding, llmRoutes } from "./llm/index.ts";
import {
  createReplyCompiler,
  createShopBot,
  createSubscriptionKeeper,
  seedShopBot,
  shopBotRoutes,
} from "./shopbot/index.ts";
import { upkeepOf } from "./upkeep.ts";
import { createCredentials, listWorkspaces, tenantRoutes } from "./workspaces/index.ts";

/** The parts a process can play; one process plays all of them unless told otherwise. */
export const roles = ["api", "dispatcher", "monitor", "jobs", "bots", "accounts"] as const;
export type Role = (typeof roles)[number];

export interface SystemOptions {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly databaseUrl: string;
  readonly roles: readonly Role[];
  readonly log: Log;
  /** The database's own unless one is given. */
  readonly clock?: Clock;
  /** Where the twins run, when they stand in for the providers. */
  readonly twinsUrl?: string | undefined;
}

export interface System extends Service {
  /** Where the server listens, after the start; without the api role it serves health and metrics only. */
  url(): string;
  readonly app: App;
  /** Every code that its answers may carry. */
  readonly problems: ProblemTable;
  seed(): Promise<SeedReport>;
}

export async function createSystem(options: SystemOptions): Promise<System> {
  const { config, databaseUrl, log, twinsUrl } = options;
  const sql = connect({
    url: databaseUrl,
    max: config.MOLVA_DATABASE_POOL,
    name: `molva ${options.roles.join(",")}`,
  });
  const databaseClock = createDatabaseClock(sql, log);
  const clock = options.clock ?? databaseClock;
  const metrics = createMetrics();
  const vault = await openVault(config, clock);
  const platforms = platformsOf(config, options.environment, twinsUrl);
  const keyValue = await createKeyValue({ sql, redisUrl: config.REDIS_URL, log });
  const network = await networkOf(config);
  const http = createProviderClient({
    ...network,
    defaultTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
  });
  const allowHosts = allowedHosts(config, twinsUrl);
  const guarded = createGuardedClient({ ...network, allowHosts });
  const sockets = createGuardedSockets({ allowHosts });

  const variables = variablesOf(config, options.environment);
  const credentials = createCredentials(sql, vault, variables);
  const storage = storageOf(config, clock, network);
  const payloads = createPayloadStore({ sql, storage, vault, clock });
  const mailer = mailerOf(config);
  const leases = {
    sendingSeconds: config.MOLVA_SENDING_LEASE_SECONDS,
    claimedSeconds: config.MOLVA_CLAIMED_LEASE_SECONDS,
  };
  const monitorDeps = {
    sql,
    clock,
    log,
    platforms,
    http,
    guarded,
    mailer,
    credentials,
    publicUrl: publicUrlOf(config),
    sendingLeaseSeconds: leases.sendingSeconds,
    claimedLeaseSeconds: leases.claimedSeconds,
  };
  exposeHealth({ sql, clock, metrics, log });
  const mediaDeps = {
    sql,
    clock,
    storage,
    log,
    http: guarded,
    maxBytes: config.MOLVA_MEDIA_MAX_MB * 1024 * 1024,
  };
  const sending = {
    ...{ sql, clock, log, platforms, http, credentials, payloads },
    media: createMedia(mediaDeps),
    sendingLeaseSeconds: leases.sendingSeconds,
  };

  const bots = {
    sql,
    clock,
    log,
    http,
    vault,
    maxBot: maxBotOf(config, options.environment, twinsUrl),
    token: credentials.token,
  };
  // Holds a question to Telegram, or to the advisor, open longer than any sending may take.
  const talking = createProviderClient(network);
  const conversing: TelegramBotDeps = {
    ...{ sql, clock, log, http: talking, keyValue, token: credentials.token },
    apiRoot: apiRootOf("TELEGRAM_API_ROOT", "telegram", config, options.environment, twinsUrl),
    webhooksAt: () => secureUrlOf(config),
  };
  const botsUrl = () =>
    config.MOLVA_PUBLIC_URL ?? (options.roles.includes("api") ? server.url() : publicUrlOf(config));
  const llm = createGateway({
    ...{ sql, clock, log, http, metrics },
    providers: llmProvidersOf(config, options.environment, twinsUrl),
    appUrl: publicUrlOf(config),
  });
  const advisor = {
    ...{ sql, clock, log, storage, gateway: llm },
    settings: advisorSettingsOf(config, botsUrl),
    workspaceId: oldestWorkspaceOf(sql, clock),
  };
  const isDemo = config.MOLVA_ENV === "demo" && accountTwinOf(config, twinsUrl) !== undefined;
  /** The demo's accounts live through the past day faster than time passes; see `startDemoClock`. */
  let accountsClock: Clock = clock;
  const accountsTime: Clock = { now: () => accountsClock.now() };
  const governor = createGovernor({ sql, clock: accountsTime });
  const planning = { sql, clock: accountsTime, log, governor };
  const accountDriver = accountDriverOf(config, { sql, vault, http, sockets, log }, twinsUrl);
  const reaching = { proxyOf: (account: AccountKey) => proxyOf({ sql, vault }, account) };
  const publishing = {
    ...planning,
    pace: governor,
    bots: { sql, clock, platforms },
    use: createUseAccount({ sql, ...reaching, driver: accountDriver }),
  };
  const ownUrl = () => (options.roles.includes("api") ? server.url() : publicUrlOf(config));
  /** Bots that lead people through flows. */
  const talkers = [
    createTelegramBot(
      advisorBot({
        ...{ http: talking, clock, proContact: config.ADVISOR_PRO_CONTACT },
        backend: { url: () => config.BACKEND_URL ?? ownUrl(), token: advisor.settings.token ?? "" },
      }),
      conversing,
    ),
  ];
  const doors = { takesPublishedSecrets: takesPublishedSecrets(config) };
  const modules = [
    deliveryRoutes({ sql, platforms, clock, metrics, leases, payloads, ...doors }),
    tenantRoutes({ sql, clock, storage }),
    adapterRoutes(sending),
    adminRoutes({
      ...{ sql, clock, vault, variables, storage, sockets, platforms, log, credentials },
      http: guarded,
      providers: http,
    }),
    payloadRoutes({ sql, payloads, publicUrl: publicUrlOf(config) }),
    monitorRoutes({ ...monitorDeps, vault, variables }),
    shopBotRoutes({
      ...bots,
      vault,
      metrics,
      payloads,
      ...doors,
      compile: createReplyCompiler(platforms),
      publicUrl: botsUrl,
    }),
    llmRoutes({ sql, clock, gateway: llm }),
    advisorRoutes(advisor),
    telegramWebhooks(talkers, conversing),
    accountsRoutes(publishing),
    loginRoutes({ sql, clock, vault, planning, driver: accountDriver }),
  ];
  const server = await createHttpServer({
    settings: {
      host: config.MOLVA_HOST,
      port: config.MOLVA_PORT,
      publicUrl: publicUrlOf(config),
      trustProxy: config.MOLVA_TRUST_PROXY,
      webFolder: paths.web,
      version,
      // A process of other roles is watched in the same way.
      operationsOnly: !options.roles.includes("api"),
      ...(twinsUrl ? { twinsUrl } : {}),
    },
    log,
    sql,
    clock,
    metrics,
    ready: readinessOf(sql),
    listWorkspaces: () => listWorkspaces(sql),
    modules,
  });

  const services: Record<Exclude<Role, "api">, () => Service> = {
    dispatcher: () =>
      createDispatcher({
        ...sending,
        metrics,
        concurrency: config.MOLVA_DISPATCH_CONCURRENCY,
        sendTimeoutSeconds: config.MOLVA_SEND_TIMEOUT_SECONDS,
      }),
    monitor: () => createMonitor(monitorDeps),
    jobs: () => {
      const cron = upkeepOf({
        ...{ sql, clock, keyValue, storage, log, planning, platforms },
        advisor: advisor.settings,
      });
      const jobs = createJobs({
        databaseUrl,
        log,
        concurrency: 2,
        cron,
        tasks: cron.map(({ task }) => task),
      });
      const puller = createPuller({
        ...{ sql, clock, log, http: guarded, sockets, platforms, credentials },
        concurrency: 4,
      });
      return serviceGroup("jobs", [jobs, puller, createMediaKeeper(mediaDeps)]);
    },
    bots: () =>
      serviceGroup("bots", [
        createShopBot({
          ...bots,
          platforms,
          media: createMedia(mediaDeps),
          concurrency: config.MOLVA_BOT_CONCURRENCY,
          leaseSeconds: 2 * config.MOLVA_SEND_TIMEOUT_SECONDS + 10,
        }),
        ...talkers,
      ]),
    accounts: () =>
      accountDriver
        ? serviceGroup("accounts", [
            createAccountWorker({
              ...planning,
              ...reaching,
              driver: accountDriver,
              media: createMedia(mediaDeps),
              times: isDemo ? { tickMs: demoTickMs } : {},
            }),
            createJoiner({
              ...publishing,
              random: Math.random,
              ...(isDemo && { tickMs: demoTickMs }),
            }),
          ])
        : withoutDriver(log),
  };
  const keeper = createSubscriptionKeeper({ ...bots, publicUrl: botsUrl });
  const closing: Service = {
    name: "connections",
    start: async () => {},
    async stop() {
      await accountDriver?.close();
      await llm.settled();
      await Promise.all([http.close(), talking.close(), guarded.close(), keyValue.close(), storage.close()]);
      await sql.end({ timeout: 5 });
    },
  };
  // The server starts last and stops first: nothing is accepted that nobody could carry.
  const order = (["jobs", "monitor", "dispatcher", "bots", "accounts"] as const).filter((role) =>
    options.roles.includes(role),
  );
  // Whoever asks a provider for its updates has to be listening already.
  const afterServer = options.roles.includes("bots") ? [keeper] : [];
  const group = serviceGroup(
    "molva",
    [
      closing,
      databaseClock,
      createSeeding({ log, gateway: llm, workspaces: () => listWorkspaces(sql) }),
      ...order.map((role) => services[role]()),
      server,
      ...afterServer,
    ],
    {
      stopFailed: (name, error) => log.error({ err: error, service: name }, "a service did not stop cleanly"),
    },
  );
  return {
    ...group,
    app: server.app,
    problems: problemsOfAll(modules),
    url: () => server.url(),
    async seed() {
      const report = await seedDemo({ sql, platforms, clock, vault, twinsUrl });
      await seedShopBot({ sql, clock, vault, twinsUrl });
      await seedAdvisorBot({ sql, clock, vault, twinsUrl });
      if (isDemo && options.roles.includes("accounts")) {
        accountsClock = await startDemoClock(sql, keyValue, demo.workspaceId, clock);
        await seedAccounts({
          ...publishing,
          driver: accountDriver,
          twinsUrl: accountTwinOf(config, twinsUrl),
        });
      }
      return report;
    },
  };
}

/** The demo's time passes faster, so its accounts are looked after more often. */
const demoTickMs = 1_000;

function withoutDriver(log: Log): Service {
  return {
    name: "accounts",
    start: async () => log.info("no Telegram application is configured: accounts publish nothing"),
    stop: async () => {},
  };
}

const workspaceKnownForMs = 10_000;

/** Whose advisor `/v1` is: an installation has one. Every request asks, so the answer holds for a while. */
function oldestWorkspaceOf(sql: Sql, clock: Clock): () => Promise<string> {
  let known: { readonly id: string; readonly until: number } | undefined;
  return async () => {
    const now = clock.now().getTime();
    if (known && now < known.until) return known.id;
    const [first] = await listWorkspaces(sql);
    if (!first) throw new Error("there is no workspace yet: run `molva workspace add`");
    known = { id: first.id, until: now + workspaceKnownForMs };
    return first.id;
  };
}

function readinessOf(sql: Sql) {
  return {
    database: async () => {
      await sql`select 1`;
    },
    migrations: async () => {
      const { pending, refusal } = await migrationStatus(sql, await readMigrationSources());
      if (refusal) throw new Error(refusal);
      if (pending.length > 0) throw new Error(`migrations wait (${pending.length}): run \`molva migrate\``);
    },
  };
}
