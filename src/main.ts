/** The composition root: creates a running system from all modules. */
import { createCore, oidcOf } from "./configured/index.ts";
import { planRoutes } from "./delivery/index.ts";
import { telegramBots, telegramWebhooks } from "./dialogs/index.ts";
import {
  type App,
  createHttpServer,
  type ProblemTable,
  problemsOfAll,
  signInSettings,
} from "./http/index.ts";
import type { Clock } from "./kernel/clock/index.ts";
import { type Config, settingsOf, stopTimesOf } from "./kernel/config/index.ts";
import {
  connect,
  createDatabaseClock,
  migrationStatus,
  readMigrationSources,
  type Sql,
} from "./kernel/db/index.ts";
import { createJobs } from "./kernel/jobs/index.ts";
import type { Log } from "./kernel/log/index.ts";
import { paths, version } from "./kernel/paths/index.ts";
import { type Service, serviceGroup, stoppedTogether } from "./kernel/service/index.ts";
import type { Module, Role, SeedBegins } from "./module/index.ts";
import { modules } from "./modules.ts";
import { listWorkspaces } from "./workspaces/index.ts";

export interface SystemOptions {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly databaseUrl: string;
  readonly roles: readonly Role[];
  readonly log: Log;
  /** The database's clock unless given. */
  readonly clock?: Clock;
  /** The address of the twins, if they replace the providers. */
  readonly twinsUrl?: string | undefined;
  /** All modules of Molva unless given. */
  readonly modules?: readonly Module[];
}

export interface System extends Service {
  /** Where the server listens, after the start; without the api role it serves health and metrics only. */
  url(): string;
  readonly app: App;
  /** Every problem code of its answers. */
  readonly problems: ProblemTable;
  /** Fills the demo's workspace and returns lines for a person to read. */
  seed(begins?: SeedBegins): Promise<readonly string[]>;
}

export async function createSystem(options: SystemOptions): Promise<System> {
  const { config, environment, databaseUrl, log, twinsUrl, roles } = options;
  const serves = roles.includes("api");
  const sql = connect({
    url: databaseUrl,
    max: config.MOLVA_DATABASE_POOL,
    name: `molva ${roles.join(",")}`,
  });
  const databaseClock = createDatabaseClock(sql, log, { movable: config.MOLVA_ENV !== "production" });
  const clock = options.clock ?? databaseClock;
  const core = await createCore({
    ...{ config, environment, twinsUrl, sql, databaseUrl, clock, log },
    ...(serves && { ownUrl: () => server.url() }),
  });
  const oidc = await oidcOf(config, core.keyValue);
  const ofSystem = options.modules ?? modules;
  const wired = ofSystem.map((module) => module.wire(core));
  const bots = wired.flatMap((each) => each.bots ?? []);
  const routes = [
    ...wired.flatMap((each) => each.routes ?? []),
    telegramWebhooks(bots, telegramBots(core)),
    planRoutes({ sql, clock, sources: ofSystem.flatMap(({ planned }) => planned ?? []) }),
  ];
  const server = await createHttpServer({
    settings: {
      host: config.MOLVA_HOST,
      port: config.MOLVA_PORT,
      publicUrl: core.publicUrl,
      trustProxy: config.MOLVA_TRUST_PROXY,
      webFolder: paths.web,
      version,
      // A process without the `api` role is monitored in the same way.
      operationsOnly: !serves,
      requireSecondFactor: settingsOf({ config }, signInSettings).MOLVA_REQUIRE_SECOND_FACTOR,
      ...(twinsUrl ? { twinsUrl } : {}),
    },
    ...{ log, sql, clock, metrics: core.metrics, vault: core.vault, oidc },
    ready: readinessOf(sql),
    listWorkspaces: () => listWorkspaces(sql),
    modules: routes,
  });

  const played = (["jobs", "monitor", "dispatcher", "bots", "accounts"] as const).filter((role) =>
    roles.includes(role),
  );
  const servicesOf = (role: (typeof played)[number] | "always") =>
    wired.flatMap((each) => each.services?.[role]?.() ?? []);
  const jobs = () => {
    const cron = wired.flatMap((each) => each.cron ?? []);
    const tasks = [...cron.map(({ task }) => task), ...wired.flatMap((each) => each.tasks ?? [])];
    return createJobs({
      ...{ databaseUrl, log, concurrency: 2, cron, tasks, sql },
      stopTimes: stopTimesOf(config),
    });
  };
  const connections: Service = {
    name: "connections",
    start: async () => {},
    async stop() {
      for (const each of wired.toReversed()) await each.close?.();
      await oidc?.http.close();
      await core.close();
      await sql.end({ timeout: 5 });
    },
  };
  const events = {
    stopFailed: (name: string, error: unknown) =>
      log.error({ err: error, service: name }, "a service did not stop cleanly"),
  };
  const work = stoppedTogether(
    "work",
    played.includes("jobs") ? [jobs(), ...servicesOf("jobs")] : [],
    events,
  );
  // The server starts last and stops first, so that nothing is accepted that could not be processed.
  const group = serviceGroup(
    "molva",
    [
      connections,
      databaseClock,
      ...servicesOf("always"),
      work,
      ...played.filter((role) => role !== "jobs").flatMap(servicesOf),
      ...(played.includes("bots") ? bots : []),
      server,
      ...played.flatMap((role) => wired.flatMap((each) => each.afterServer?.[role]?.() ?? [])),
    ],
    events,
  );
  return {
    ...group,
    async stop() {
      // What is being written may need all the time there is, so it is asked before the server and whatever stops after it.
      const ended = work.stop();
      await group.stop();
      await ended;
    },
    app: server.app,
    problems: problemsOfAll(routes),
    url: () => server.url(),
    async seed(begins = "work") {
      const told: string[] = [];
      for (const each of wired) told.push(...((await each.seed?.(roles, begins)) ?? []));
      return told;
    },
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
