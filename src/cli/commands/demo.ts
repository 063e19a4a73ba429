import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTwins } from "../../../twins/index.ts";
import { openVault, publicUrlOf } from "../../configured/index.ts";
import { type PlayReport, playDemo, type StageDeps } from "../../delivery/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Config } from "../../kernel/config/index.ts";
import { migrate, readMigrationSources } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { paths } from "../../kernel/paths/index.ts";
import { removeEmbeddedPostgres } from "../../kernel/postgres/index.ts";
import { createSystem } from "../../main.ts";
import { roles } from "../../module/index.ts";
import { playWay } from "../../seo/index.ts";
import {
  type AddCommand,
  configOf,
  exitCodes,
  openDatabase,
  runningTwins,
  type Terminal,
  UserError,
  untilAskedToStop,
  withDatabase,
  withSql,
} from "../../terminal/index.ts";
import { createProgress } from "../progress.ts";

/** `molva demo [seo]`: runs the demo criteria of delivery, or the newcomer's way through SEO Master, against the twins. */
export const addDemo: AddCommand = (program, terminal) => {
  program
    .command("demo")
    .description("run the demo criteria against the twins: a new channel, 429, dedup, a bad channel")
    .argument("[what]", "seo: from /start to an article, a post and a refund")
    .option("--json", "one line of JSON at the end, and nothing else")
    .action(async (what: string | undefined, options: { json?: boolean }, command) => {
      if (what !== undefined && what !== "seo") command.error(`There is no demo of ${what}. Known: seo.`);
      const play = what === "seo" ? playWay : playDemo;
      const config = configOf(terminal);
      const quiet = options.json ? { ...terminal, out: () => {} } : terminal;
      const stop = new AbortController();
      void untilAskedToStop().then((signal) => stop.abort(new Error(`stopped by ${signal}`)));
      const report = await onASystem(config, quiet, (deps) =>
        play(deps, audience(quiet), { signal: stop.signal }),
      );
      if (options.json) terminal.out(JSON.stringify(report));
      else terminal.out(verdict(report));
      if (!report.ok) throw new UserError("The demo failed; see the lines with ✗.", exitCodes.failed);
    });
};

type Play = (deps: StageDeps) => Promise<PlayReport>;

/** The system that runs with twins on this machine, or one for this run only. */
async function onASystem(config: Config, terminal: Terminal, play: Play): Promise<PlayReport> {
  const twinsUrl = await runningTwins(config);
  const serverUrl = publicUrlOf({ ...config, MOLVA_PUBLIC_URL: undefined });
  if (twinsUrl && config.MOLVA_ENV === "demo" && (await answers(serverUrl))) {
    terminal.out(`Playing on the system at ${serverUrl}.`);
    return withDatabase(config, async (sql) =>
      play({ sql, clock: systemClock, vault: await openVault(config), serverUrl, twinsUrl }),
    );
  }
  return onATemporarySystem(terminal, play);
}

async function answers(serverUrl: string): Promise<boolean> {
  const ready = fetch(`${serverUrl}/healthz/readiness`, { signal: AbortSignal.timeout(2_000) });
  return ready.then(
    ({ ok }) => ok,
    () => false,
  );
}

/** A new system in a folder that is removed afterwards; no setting of this installation is used. */
async function onATemporarySystem(terminal: Terminal, play: Play): Promise<PlayReport> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "molva-demo-"));
  // PostgreSQL does not run as root, so its user must be able to enter the folder.
  if (process.getuid?.() === 0) chmodSync(home, 0o711);
  const environment = { MOLVA_HOME: home, MOLVA_PORT: "0" };
  const config = configOf({ ...terminal, environment });
  const progress = createProgress(terminal);
  const closing: (() => Promise<void>)[] = [];
  try {
    progress.step("No system runs with twins here: starting one for the demo");
    const database = await openDatabase(config, { adopt: false, progress: progress.step });
    closing.push(database.close);
    await withSql(database.url, async (sql) => {
      await migrate(sql, await readMigrationSources());
      await sql`select workspaces.ensure_event_partitions()`;
    });
    const twins = await startTwins({ port: 0, web: paths.web, insecureWebhooks: true });
    closing.push(twins.close);
    const system = await createSystem({
      config,
      environment,
      databaseUrl: database.url,
      roles,
      log: silentLog,
      twinsUrl: twins.url,
    });
    closing.push(system.stop);
    await system.start();
    progress.done();
    const serverUrl = system.url();
    if (!serverUrl) throw new Error("the server listens nowhere");
    const vault = await openVault(config);
    return await withSql(database.url, (sql) =>
      play({ sql, clock: systemClock, vault, serverUrl, twinsUrl: twins.url }),
    );
  } finally {
    progress.done();
    for (const close of closing.reverse()) await close();
    await removeEmbeddedPostgres(home);
    rmSync(home, { recursive: true, force: true });
  }
}

function audience(terminal: Terminal) {
  return {
    begins: ({ title }: { title: string }, number: number) => terminal.out(`\n${number}. ${title}`),
    step: (text: string) => terminal.out(`   · ${text}`),
    checked: (text: string, ok: boolean) => terminal.out(`   ${ok ? "✓" : "✗"} ${text}`),
  };
}

function verdict({ ok, criteria }: PlayReport): string {
  const passed = criteria.filter((criterion) => criterion.ok).length;
  const seconds = (criteria.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(1);
  return `\n${ok ? "✓" : "✗"} ${passed} of ${criteria.length} criteria hold (${seconds} s). What the demo made is taken away.`;
}
