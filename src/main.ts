/** The composition root: the only file that knows every module. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import {
  createAccountWorker,
  forgetOldPublications,
  noGovernor,
  type PlanDeps,
  planDue,
} from "./accounts/index.ts";
import { type AdvisorSettings, advisorRoutes, advisorUpkeep, demoToken } from "./advisor/index.ts";
import { advisorBot, seedAdvisorBot } from "./advisorbot/index.ts";
import {
  adminRoutes,
  createCredentials,
  createDispatcher,
  createMailer,
  createMedia,
  createMediaKeeper,
  createMonitor,
  createPayloadStore,
  createPuller,
  deliveryRoutes,
  exposeHealth,
  forgetPullReceipts,
  listWorkspaces,
  monitorRoutes,
  noteChange,
  payloadRoutes,
  prepareEventPartitions,
  runRetention,
  type SeedReport,
  seedDemo,
  workspaceOf,
} from "./delivery/index.ts";
import { createTelegramBot, type TelegramBotDeps, telegramWebhooks } from "./dialogs/index.ts";
import { type App, createHttpServer, forgetExpired, type ProblemTable, problemsOfAll } from "./http/index.ts";
import { type Clock, systemClock } from "./kernel/clock/index.ts";
import type { Config } from "./kernel/config/index.ts";
import { createVault, ensureKeyFile, randomToken, type Vault } from "./kernel/crypto/index.ts";
import {
  connect,
  createDatabaseClock,
  migrationStatus,
  readMigrationSources,
  type Sql,
} from "./kernel/db/index.ts";
import { type CronEntry, createJobs, defineTask } from "./kernel/jobs/index.ts";
import { createKeyValue, type KeyValue } from "./kernel/kv/index.ts";
import type { Log } from "./kernel/log/index.ts";
import { createMetrics } from "./kernel/metrics/index.ts";
import { createGuardedClient, createGuardedSockets, createProviderClient } from "./kernel/outbound/index.ts";
import { paths, projectRoot } from "./kernel/paths/index.ts";
import { type Service, serviceGroup } from "./kernel/service/index.ts";
import { createStorage, type ObjectStorage } from "./kernel/storage/index.ts";
import { createGateway, createSeeding, llmRoutes, llmUpkeep, type Providers } from "./llm/index.ts";
import {
  type AccountDriver,
  createMaxBot,
  createPlatforms,
  createTwinDriver,
  type MaxBot,
  type Platforms,
  type TwinDriverDeps,
} from "./platforms/index.ts";
import {
  createReplyCompiler,
  createShopBot,
  createSubscriptionKeeper,
  forgetOldDialogues,
  seedShopBot,
  shopBotRoutes,
  watchBots,
} from "./shopbot/index.ts";

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

export const version: string = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")).version;

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

  const credentials = createCredentials(sql, vault, options.environment);
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

  const bots = {
    sql,
    clock,
    log,
    http,
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
  const planning = { sql, clock, log, governor: noGovernor };
  const accountDriver = accountDriverOf({ sql, vault, http }, twinsUrl);
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
  const modules = [
    deliveryRoutes({ sql, platforms, clock, metrics, leases, payloads }),
    adminRoutes({ sql, clock, vault, http: guarded, providers: http, sockets, platforms, log, credentials }),
    payloadRoutes({ sql, payloads, publicUrl: publicUrlOf(config) }),
    monitorRoutes({ ...monitorDeps, vault }),
    shopBotRoutes({
      ...bots,
      vault,
      metrics,
      payloads,
      compile: createReplyCompiler(platforms),
      publicUrl: botsUrl,
    }),
    llmRoutes({ sql, clock, noteChange, workspaceOf, gateway: llm }),
    advisorRoutes(advisor),
    telegramWebhooks(talkers, conversing),
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
        sql,
        clock,
        log,
        metrics,
        platforms,
        http,
        media: createMedia(mediaDeps),
        credentials,
        payloads,
        concurrency: config.MOLVA_DISPATCH_CONCURRENCY,
        sendingLeaseSeconds: leases.sendingSeconds,
      }),
    monitor: () => createMonitor(monitorDeps),
    jobs: () => {
      const cron = upkeepOf({ sql, clock, keyValue, storage, log, advisor: advisor.settings, planning });
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
        ? createAccountWorker({ ...planning, driver: accountDriver, media: createMedia(mediaDeps) })
        : withoutDriver(log),
  };
  const keeper = createSubscriptionKeeper({ ...bots, publicUrl: botsUrl });
  const closing: Service = {
    name: "connections",
    start: async () => {},
    async stop() {
      mailer?.close();
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
      await seedShopBot({ sql, clock, vault, twinsUrl, compile: createReplyCompiler(platforms) });
      await seedAdvisorBot({ sql, clock, vault, twinsUrl });
      return report;
    },
  };
}

export async function openVault(config: Config, clock: Clock = systemClock): Promise<Vault> {
  return createVault(config.MOLVA_ENCRYPTION_KEYS ?? (await ensureKeyFile(config.MOLVA_HOME)), clock);
}

/** With twins running, a provider whose address was not set explicitly is its twin. */
export function platformsOf(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  twinsUrl: string | undefined,
): Platforms {
  return createPlatforms({
    telegramApiRoot: apiRootOf("TELEGRAM_API_ROOT", "telegram", config, environment, twinsUrl),
    maxApiRoot: apiRootOf("MAX_API_ROOT", "max", config, environment, twinsUrl),
    requestTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
    maxUploadPolicy: config.MAX_UPLOAD_POLICY,
  });
}

/** What bots do in MAX besides posting. */
export function maxBotOf(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  twinsUrl: string | undefined,
): MaxBot {
  return createMaxBot({
    apiRoot: apiRootOf("MAX_API_ROOT", "max", config, environment, twinsUrl),
    requestTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
  });
}

function apiRootOf(
  name: "TELEGRAM_API_ROOT" | "MAX_API_ROOT",
  twin: string,
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  twinsUrl: string | undefined,
): string {
  return twinsUrl && !environment[name]?.trim() ? `${twinsUrl}/${twin}` : config[name];
}

/** Who speaks with Telegram for people's own accounts. */
function accountDriverOf(
  deps: Pick<TwinDriverDeps, "sql" | "vault" | "http">,
  twinsUrl: string | undefined,
): AccountDriver | undefined {
  return twinsUrl ? createTwinDriver({ ...deps, root: `${twinsUrl}/telegram-account` }) : undefined;
}

function withoutDriver(log: Log): Service {
  return {
    name: "accounts",
    start: async () => log.info("no Telegram application is configured: accounts publish nothing"),
    stop: async () => {},
  };
}

/** Which providers of language models may be asked. A twin gets the key that it knows, never a real one. */
export function llmProvidersOf(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  twinsUrl: string | undefined,
): Providers {
  const isTwin = (name: "OPENROUTER_BASE_URL" | "OPENAI_BASE_URL") => twinsUrl && !environment[name]?.trim();
  const openrouter = isTwin("OPENROUTER_BASE_URL")
    ? { baseUrl: `${twinsUrl}/openrouter/api/v1`, apiKey: "sk-or-v1-molva-demo-0000000000000000" }
    : { baseUrl: config.OPENROUTER_BASE_URL, apiKey: config.OPENROUTER_API_KEY };
  const openai = isTwin("OPENAI_BASE_URL")
    ? { baseUrl: `${twinsUrl}/openai/v1`, apiKey: "sk-molva-demo-0000000000000000" }
    : { baseUrl: config.OPENAI_BASE_URL, apiKey: config.OPENAI_API_KEY };
  return {
    ...(openrouter.apiKey && { openrouter }),
    ...(openai.apiKey && { openai }),
    ...(config.LLM_BASE_URL && { compatible: { baseUrl: config.LLM_BASE_URL, apiKey: config.LLM_API_KEY } }),
  };
}

export function advisorSettingsOf(config: Config, publicUrl: () => string): AdvisorSettings {
  return {
    token: config.BOT_BACKEND_TOKEN ?? (config.MOLVA_ENV === "demo" ? demoToken : undefined),
    version: config.APP_VERSION ?? version,
    publicUrl,
    behindTls: config.APP_ENV === "prod" || publicUrlOf(config).startsWith("https:"),
    freeDailyLimit: config.FREE_DAILY_LIMIT,
    cooldownSec: config.COOLDOWN_SEC,
    freeTtlSec: config.DEFAULT_FREE_TTL_SEC,
    proTtlSec: config.PRO_SESSION_TTL_SEC,
    researchLimit: config.PRO_RESEARCH_LIMIT,
    photoLimit: config.PRO_VISION_IMAGE_LIMIT_MONTH,
    maxTurns: config.SESSION_MAX_TURNS,
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

interface Network {
  readonly extraCa?: string;
  readonly proxy?: string;
}

function storageOf(config: Config, clock: Clock, network: Network): ObjectStorage {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config;
  const s3 =
    endpoint && bucket && accessKeyId && secretAccessKey
      ? {
          endpoint,
          bucket,
          accessKeyId,
          secretAccessKey,
          region: config.S3_REGION,
          pathStyle: config.S3_FORCE_PATH_STYLE,
          ...network,
        }
      : undefined;
  return createStorage({
    folder: join(config.MOLVA_HOME, "media"),
    urlBase: `${publicUrlOf(config)}/media`,
    // Links to files of this process's own folder are good until it ends.
    secret: randomToken(),
    clock,
    s3,
  });
}

export function mailerOf(config: Config) {
  const { MOLVA_SMTP_URL: url, MOLVA_SMTP_FROM: from } = config;
  return url ? createMailer({ url, from }) : undefined;
}

/** Exceptions from the rule that what users name must be public. */
export function allowedHosts(config: Config, twinsUrl: string | undefined): readonly string[] {
  return [...config.MOLVA_ALLOW_HOSTS, ...(twinsUrl ? [new URL(twinsUrl).host] : [])];
}

/** How this installation reaches the outside world. */
export async function networkOf(config: Config): Promise<Network> {
  return {
    ...(config.MOLVA_EXTRA_CA ? { extraCa: await readFile(config.MOLVA_EXTRA_CA, "utf8") } : {}),
    ...(config.MOLVA_PROXY ? { proxy: config.MOLVA_PROXY } : {}),
  };
}

export function publicUrlOf(config: Config): string {
  return config.MOLVA_PUBLIC_URL ?? `http://${config.MOLVA_HOST}:${config.MOLVA_PORT}`;
}

/** Telegram brings updates to nothing else. */
function secureUrlOf({ MOLVA_PUBLIC_URL: url }: Config): string | undefined {
  return url?.startsWith("https:") ? url : undefined;
}

interface UpkeepDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly keyValue: KeyValue;
  readonly storage: ObjectStorage;
  readonly log: Log;
  readonly advisor: AdvisorSettings;
  readonly planning: PlanDeps;
}

/** The regular upkeep of every module. */
function upkeepOf({
  sql,
  clock,
  keyValue,
  storage,
  log,
  advisor,
  planning,
}: UpkeepDeps): readonly CronEntry[] {
  const every = (schedule: string, name: string, run: () => Promise<void>): CronEntry => ({
    identifier: name,
    schedule,
    task: defineTask({ name, schema: z.unknown(), maxAttempts: 3, run }),
  });
  return [
    every("7 */6 * * *", "delivery.prepare_event_partitions", () => prepareEventPartitions(sql, clock.now())),
    every("13 * * * *", "delivery.retention", async () => {
      await runRetention({ sql, storage, clock, log });
    }),
    every("37 * * * *", "delivery.forget_pull_receipts", () => forgetPullReceipts(sql, clock.now())),
    every("*/5 * * * *", "shopbot.monitor", async () => {
      await watchBots(sql, clock.now());
    }),
    every("53 * * * *", "shopbot.forget", () => forgetOldDialogues(sql, clock.now())),
    every("23 * * * *", "llm.upkeep", () => llmUpkeep(sql, clock.now())),
    every("*/5 * * * *", "advisor.upkeep", () => advisorUpkeep({ sql, clock, storage, settings: advisor })),
    // On the hour, which is 08:00 in Moscow at 05:00 UTC: each account's day is planned once, when its window has opened.
    every("0 * * * *", "accounts.plan", async () => {
      await planDue(planning);
    }),
    every("31 3 * * *", "accounts.forget", () => forgetOldPublications(sql, clock.now())),
    every("41 * * * *", "kernel.forget_expired", async () => {
      await forgetExpired(sql, { clock });
      await keyValue.purgeExpired();
    }),
  ];
}

function readinessOf(sql: Sql) {
  return {
    database: async () => {
      await sql`select 1`;
    },
    migrations: async () => {
      const { pending, refusal } = await migrationStatus(sql, await readMigrationSources());
      if (refusal) throw new Error(refusal);
      if (pending.length > 0) throw new Error(`${pending.length} migrations wait: run \`molva migrate\``);
    },
  };
}
