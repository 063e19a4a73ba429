import { access, constants, mkdir, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { newestVerified, verifyAudit } from "../../audit/index.ts";
import { networkOf, openVault, variablesOf } from "../../configured/index.ts";
import { type Config, takesPublishedSecrets } from "../../kernel/config/index.ts";
import { askHosts, describeAnswer, migrationStatus, readMigrationSources } from "../../kernel/db/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { version } from "../../kernel/paths/index.ts";
import type { SealedStore } from "../../kernel/sealed/index.ts";
import { pingSentry, readDsn } from "../../kernel/sentry/index.ts";
import { databaseAddress } from "../../kernel/url/index.ts";
import { type Providers, pingProvider, providerNames, providersOf } from "../../llm/index.ts";
import type { Module } from "../../module/index.ts";
import { notNeededIn } from "../../seo/index.ts";
import {
  type AddCommand,
  configOf,
  coreFor,
  counted,
  exitCodes,
  explain,
  print,
  runningTwins,
  type Terminal,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";
import { createTokens } from "../../workspaces/index.ts";
import { findPublishedSecrets } from "../published.ts";
import { checkSealed } from "../sealed-stores.ts";
import { checkSpending } from "../spending.ts";

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** The result, or the error and what to do. */
  readonly says: string;
}

const oldestNode = [20, 19] as const;
const enoughBytes = 500 * 1024 * 1024;

/** `molva doctor`: checks everything that a start needs and says what to fix. */
export const doctorCommand =
  (modules: readonly Module[]): AddCommand =>
  (program, terminal) => {
    const stores = modules.flatMap(({ sealed = [] }) => sealed);
    program
      .command("doctor")
      .description("check what Molva needs on this machine and say what to fix")
      .option("--json", "one line of JSON")
      .action(async (options: { json?: boolean }) => {
        const config = configOf(terminal);
        const findings = [
          checkNode(process.versions.node),
          await examine("home folder", () => checkHome(config)),
          await examine("disk space", () => checkDisk(config)),
          await examine("database", () => checkDatabase(config)),
          ...(await checkHosts(config)),
          await examine("encryption keys", () => checkKeys(terminal, stores)),
          await examine("audit", () => checkAudit(config)),
          await examine("named variables", () => checkVariables(config, terminal.environment)),
          await examine("variables without use", async () => checkNotNeeded(terminal.environment)),
          await examine("published secrets", () => checkPublished(config, terminal)),
          await examine(`port ${config.MOLVA_PORT}`, () =>
            checkPort(config.MOLVA_PORT, config.MOLVA_HOST, "MOLVA_PORT", "/healthz"),
          ),
          await examine(`port ${config.MOLVA_TWIN_PORT}`, () =>
            checkPort(config.MOLVA_TWIN_PORT, "127.0.0.1", "MOLVA_TWIN_PORT", "/_control/health"),
          ),
          await examine("language models", async () =>
            checkModels(config, await modelProviders(config, terminal)),
          ),
          await examine("spending on models", () => checkSpending(config)),
          await examine("reports of errors", () => checkSentry(config)),
        ];
        const ok = findings.every((finding) => finding.ok);
        print(terminal, options, { ok, findings }, () =>
          findings.map(({ check, ok, says }) => `${ok ? "✓" : "✗"} ${check}: ${says}`).join("\n"),
        );
        if (!ok) throw new UserError("Something must be fixed; see the lines with ✗.", exitCodes.failed);
      });
  };

async function examine(check: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, says: await look() };
  } catch (error) {
    return { check, ok: false, says: explain(error).message };
  }
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const ok = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  return { check: "Node.js", ok, says: ok ? version : `${version} is too old; install 20.19 or newer` };
}

async function checkHome({ MOLVA_HOME: home }: Config): Promise<string> {
  try {
    await mkdir(home, { recursive: true });
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new UserError(`${home} cannot be written; set MOLVA_HOME to a folder of yours`);
  }
  return `${home} can be written`;
}

async function checkDisk({ MOLVA_HOME: home }: Config): Promise<string> {
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  const megabytes = `${Math.floor(free / 1024 / 1024)} MB free`;
  if (free < enoughBytes)
    throw new UserError(`only ${megabytes} where ${home} lies; free some, or move MOLVA_HOME`);
  return megabytes;
}

async function checkDatabase(config: Config): Promise<string> {
  return withDatabase(config, async (sql) => {
    const [row] = await sql<[{ version: string }]>`select current_setting('server_version') as version`;
    const { pending, refusal } = await migrationStatus(sql, await readMigrationSources());
    if (refusal) throw new UserError(refusal);
    const state =
      pending.length > 0
        ? `${counted(pending.length, "migration waits", "migrations wait")}: run \`molva migrate\`, or \`npm start\`, which does it too`
        : "up to date";
    return `PostgreSQL ${row.version}${config.DATABASE_URL ? "" : ", embedded"}, ${state}`;
  });
}

/** Of several hosts: which takes writes, which are there to take its place, and whether they have everything it confirmed. */
async function checkHosts(config: Config): Promise<Finding[]> {
  const address = config.DATABASE_URL ? databaseAddress(config.DATABASE_URL) : undefined;
  if (!address?.primaryOnly) return [];
  const check = "database hosts";
  return [
    await examine(check, async () => {
      const answers = await askHosts(address);
      const heard = new Set(answers.map(({ host }) => host));
      const silent = address.hosts.filter((host) => !heard.has(host));
      const [row] = await withDatabase(
        config,
        (sql) => sql<[{ names: string }]>`select current_setting('synchronous_standby_names') as names`,
      );
      return [
        ...answers.map(describeAnswer),
        ...silent.map(({ host, port }) => `${host}:${port} is silent`),
        row.names
          ? `synchronous: ${row.names}`
          : "asynchronous: what was confirmed last would be lost with the primary; set synchronous_standby_names",
      ].join("; ");
    }),
  ];
}

/** Before the first migration there is nothing to open, but the keys must be well-formed. */
async function checkKeys(terminal: Terminal, stores: readonly SealedStore[]): Promise<string> {
  const config = configOf(terminal);
  await openVault(config);
  return withDatabase(config, async (sql, url) => {
    const [exists] = await sql<
      [{ found: boolean }]
    >`select to_regclass('workspaces.secrets') is not null as found`;
    if (!exists.found) return "ready; nothing is stored yet";
    return coreFor(terminal, sql, url, (core) => checkSealed(stores, core));
  });
}

/** The newest part of every chain; `molva audit verify` looks at all of it. */
async function checkAudit(config: Config): Promise<string> {
  const vault = await openVault(config);
  return withDatabase(config, async (sql) => {
    const [exists] = await sql<[{ found: boolean }]>`select to_regclass('audit.chains') is not null as found`;
    if (!exists.found) return "nothing is written yet";
    const { ok, findings, entries, sealed_at } = await verifyAudit(
      sql,
      { vault },
      { newest: newestVerified },
    );
    if (!ok)
      throw new UserError(
        `${findings[0]?.says ?? "it was changed"}${findings.length > 1 ? `, and ${findings.length - 1} more` : ""}: run \`molva audit verify\``,
      );
    return `the newest ${counted(entries, "entry", "entries")} hold together, ${sealed_at === null ? "not sealed yet" : `sealed ${sealed_at}`}`;
  });
}

/** The demo's secrets are printed in the documents; a server that others can reach must not have them. */
async function checkPublished(config: Config, { environment }: Terminal): Promise<string> {
  const found = await withDatabase(config, async (sql) => {
    const [exists] = await sql<
      [{ found: boolean }]
    >`select to_regclass('workspaces.credential_bindings') is not null as found`;
    if (!exists.found) return [];
    return findPublishedSecrets(
      sql,
      createTokens(sql, await openVault(config), variablesOf(config, environment)),
    );
  });
  if (found.length === 0) return "none in use";
  if (takesPublishedSecrets(config))
    return `${counted(found.length, "secret of the demo works", "secrets of the demo work")} on this machine only`;
  throw new UserError(["anybody can read these in Molva's documents:", ...found].join("\n    "));
}

/**
 * Whether variables that are set here and used as secrets are bound to the workspaces that use them. One that is not set here
 * may belong to another sender, which reads it itself.
 */
async function checkVariables(config: Config, environment: Terminal["environment"]): Promise<string> {
  const variables = variablesOf(config, environment);
  return withDatabase(config, async (sql) => {
    const [exists] = await sql<
      [{ found: boolean }]
    >`select to_regclass('delivery.alert_targets') is not null as found`;
    const named = exists.found
      ? await sql<{ workspace_id: string; name: string }[]>`
          select distinct workspace_id, substr(secret_ref, 5) as name
          from (
            select workspace_id, secret_ref from workspaces.credential_bindings
            union all select workspace_id, secret_ref from delivery.pull_sources
            union all select workspace_id, secret_ref from delivery.alert_targets
          ) as held
          where secret_ref like 'env:%' order by name, workspace_id`
      : [];
    const set = named.filter(({ name }) => environment[name]?.trim());
    const unbound = set.filter(({ workspace_id, name }) => !variables.isBound(workspace_id, name));
    if (unbound.length > 0)
      throw new UserError(
        `add ${unbound.map(({ workspace_id, name }) => `${name}=${workspace_id}`).join(",")} to MOLVA_WORKSPACE_VARIABLES`,
      );
    const absent = named.filter((one) => !set.includes(one)).map(({ name }) => name);
    return [
      set.length > 0 ? `${set.length} set and bound` : "none set",
      ...(absent.length > 0 ? [`not set here: ${absent.join(", ")}`] : []),
    ].join("; ");
  });
}

/** Of another installation of SEO Master, perhaps: they do no harm, but change nothing either. */
function checkNotNeeded(environment: Terminal["environment"]): string {
  const found = notNeededIn(environment);
  return found.length === 0
    ? "none set"
    : found.map(({ name, instead }) => `${name}: ${instead.en}`).join("; ");
}

async function checkPort(port: number, host: string, setting: string, ours: string): Promise<string> {
  if (await isFree(port, host)) return "free";
  const answer = await fetch(`http://${host}:${port}${ours}`, { signal: AbortSignal.timeout(2_000) }).catch(
    () => undefined,
  );
  if (answer?.ok) return "Molva runs here";
  throw new UserError(`another program uses it; stop that one, or set ${setting}`);
}

async function modelProviders(config: Config, { environment }: Terminal): Promise<Providers> {
  const twinsUrl = config.MOLVA_ENV === "demo" ? await runningTwins(config) : undefined;
  return providersOf({ config, environment, twinsUrl });
}

/** Without language models no key is needed; a key that is set must work. */
async function checkModels(config: Config, providers: Providers): Promise<string> {
  const http = createProviderClient(await networkOf(config));
  try {
    const found = await Promise.all(
      providerNames.flatMap((name) => {
        const settings = providers[name];
        return settings ? [pingProvider(http, name, settings)] : [];
      }),
    );
    const says = [...new Set(found.map((ping) => ping.says))].join("; ");
    if (found.some(({ ok }) => !ok))
      throw new UserError(
        `${says}: check OPENROUTER_API_KEY, OPENAI_API_KEY, LLM_BASE_URL and the way there`,
      );
    return says || "no provider is configured; OPENROUTER_API_KEY or OPENAI_API_KEY makes one";
  } finally {
    await http.close();
  }
}

/** Errors are in the log in any case; if they are to be reported, Sentry must be reachable. */
async function checkSentry(config: Config): Promise<string> {
  const dsn = readDsn(config.SENTRY_DSN ?? "");
  if (!dsn) return "none; SENTRY_DSN reports errors to Sentry";
  const http = createProviderClient(await networkOf(config));
  try {
    const { ok, says } = await pingSentry(http, dsn, `molva/${version}`);
    if (!ok) throw new UserError(`${says}: check SENTRY_DSN and the way there`);
    return says;
  } finally {
    await http.close();
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
