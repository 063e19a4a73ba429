import { demoAccounts } from "../../accounts/index.ts";
import { demoAdvisorBot } from "../../advisorbot/index.ts";
import { publicUrlOf } from "../../configured/index.ts";
import { callTwins, demo } from "../../delivery/index.ts";
import { createSignInLink, ensureAdmin, signInUrl } from "../../http/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { type Config, isLoopbackHost, takesPublishedSecrets } from "../../kernel/config/index.ts";
import { clockAhead, surviveLostConnections } from "../../kernel/db/index.ts";
import { createSystem } from "../../main.ts";
import { roles } from "../../module/index.ts";
import { demoBusiness, demoSeoBot } from "../../seo/index.ts";
import { demoShop } from "../../shopbot/index.ts";
import {
  type AddCommand,
  configOf,
  exitCodes,
  openDatabase,
  serverLogOf,
  type Terminal,
  UserError,
  untilAskedToStop,
  withSql,
} from "../../terminal/index.ts";
import { ensureWorkspace } from "../../workspaces/index.ts";
import { refuseUnreleased } from "../backup/refuse-unreleased.ts";
import { banner } from "../banner.ts";
import { asOwner, migrateDatabase } from "../migrating.ts";
import { createProgress, type Progress } from "../progress.ts";
import { refusePublishedSecrets } from "../published.ts";
import { keepHeapSmall } from "../small-heap.ts";
import { refuseTakenPorts } from "../taken-ports.ts";
import { startTwinsProcess } from "../twins.ts";

/** `molva up`: everything on this machine: database, twins, demo data, every role in one process. */
export const addUp: AddCommand = (program, terminal) => {
  program
    .command("up")
    .description("start everything on this machine: PostgreSQL, migrations, demo data, twins, every role")
    .action(async () => {
      const config = configOf(terminal);
      refuseExposedDemo(config);
      const asked = untilAskedToStop();
      const progress = createProgress(terminal);
      const closing: (() => Promise<void>)[] = [];
      try {
        const stopped = await up(config, terminal, progress, closing, asked);
        progress.step(stopped === "lost" ? "PostgreSQL ended by itself; stopping" : "Stopping");
        if (stopped === "lost")
          throw new UserError(
            "The embedded PostgreSQL ended by itself; its log is in MOLVA_HOME. Start again.",
          );
      } finally {
        for (const close of closing.reverse()) await close();
        progress.done();
      }
    });
};

async function up(
  config: Config,
  terminal: Terminal,
  progress: Progress,
  closing: (() => Promise<void>)[],
  asked: Promise<unknown>,
): Promise<"asked" | "lost"> {
  const began = performance.now();
  keepHeapSmall();
  const { log, reports, endProcess } = await serverLogOf(terminal, config, { roles, quietLevel: "warn" });
  closing.push(reports.stop);
  surviveLostConnections(log, endProcess);

  let lose: () => void = () => {};
  const lost = new Promise<"lost">((resolve) => {
    lose = () => resolve("lost");
  });
  progress.step("Opening the database");
  const database = await openDatabase(asOwner(config), {
    adopt: false,
    progress: progress.step,
    onLost: () => lose(),
  });
  closing.push(database.close);
  const isDemo = config.MOLVA_ENV === "demo";
  await refuseTakenPorts(config, { withTwins: isDemo });

  progress.step("Migrating");
  await migrateDatabase(config, database.url);
  const databaseUrl = config.DATABASE_URL ?? database.url;
  const admin = await withSql(databaseUrl, async (sql) => {
    await refuseUnreleased(sql);
    if (config.MOLVA_ENV === "production") await refusePublishedSecrets(sql);
    // The demo brings a workspace of its own.
    if (!isDemo) await ensureWorkspace({ sql, clock: systemClock }, { operator: "molva up" });
    return ensureAdmin(sql, { clock: systemClock });
  });

  if (isDemo) progress.step("Starting the twins");
  const twins = isDemo ? await startTwinsProcess(config) : undefined;
  if (twins) {
    closing.push(twins.stop);
    // The clock of an earlier start may have been moved.
    const ahead = Math.round(await withSql(databaseUrl, clockAhead));
    if (ahead > 0) await callTwins(twins.url, "POST", "/_control/clock", { ahead_ms: ahead });
  }

  progress.step("Starting the server");
  const system = await createSystem({
    config,
    environment: terminal.environment,
    databaseUrl,
    roles,
    log,
    twinsUrl: twins?.url,
  });
  closing.push(system.stop);
  const seeded = isDemo ? await system.seed() : [];
  await system.start();
  progress.done();

  const publicUrl = config.MOLVA_PUBLIC_URL ?? system.url() ?? publicUrlOf(config);
  const link = await withSql(databaseUrl, (sql) =>
    createSignInLink(sql, admin.login, { clock: systemClock }),
  );
  terminal.out(
    banner({
      consoleUrl: publicUrl,
      signInUrl: link && signInUrl(publicUrl, link),
      twinsUrl: twins?.url,
      shopUrl: twins && `${twins.url}/#start/max/${demoShop.username}`,
      advisorUrl: twins && `${twins.url}/#start/telegram/${demoAdvisorBot.username}`,
      accountsUrl: twins && `${twins.url}/#telegram-account/${demoAccounts.chats[0].id}`,
      seoBotUrl: twins && `${twins.url}/#start/telegram/${demoSeoBot.username}`,
      seoChatUrl: twins && `${twins.url}/#telegram/${demoBusiness.userId}`,
      seoUrl: twins && `${twins.url}/wordpress/${demoBusiness.site.name}/`,
      secret: takesPublishedSecrets(config) ? demo.secret : undefined,
      note: database.note,
      told: seeded,
      readyInMs: performance.now() - began,
    }),
  );
  return Promise.race([asked.then(() => "asked" as const), lost]);
}

/** The demo's people, chats and secrets are only for the person at this machine. */
function refuseExposedDemo({ MOLVA_ENV, MOLVA_HOST, MOLVA_DEMO_EXPOSED }: Config): void {
  if (MOLVA_ENV !== "demo" || isLoopbackHost(MOLVA_HOST) || MOLVA_DEMO_EXPOSED) return;
  throw new UserError(
    `The demo listens on this machine only, and MOLVA_HOST is ${MOLVA_HOST}. Leave MOLVA_HOST out, set MOLVA_ENV=production ` +
      "for a server, or set MOLVA_DEMO_EXPOSED=true if others may reach the demo: its published secrets then open nothing.",
    exitCodes.usage,
  );
}
