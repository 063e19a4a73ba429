import type { Config } from "../kernel/config/index.ts";
import { connect, type Sql, timelinesHere } from "../kernel/db/index.ts";
import { codeOf } from "../kernel/errors/index.ts";
import { runningPostgresUrl, startEmbeddedPostgres } from "../kernel/postgres/index.ts";
import { databaseAddress } from "../kernel/url/index.ts";
import { exitCodes, UserError } from "./failure.ts";

export interface Database {
  readonly url: string;
  /** For the banner, if the data of the embedded server is in an unusual place. */
  readonly note?: string | undefined;
  close(): Promise<void>;
}

/** The configured server, the one a running Molva has already started, or an embedded one for as long as this command runs. */
export async function openDatabase(
  config: Config,
  options: { progress?: (text: string) => void; adopt?: boolean; onLost?: () => void } = {},
): Promise<Database> {
  if (config.DATABASE_URL) {
    timelinesHere.keepIn(config.MOLVA_HOME);
    await requireAnswer(config.DATABASE_URL);
    return { url: config.DATABASE_URL, close: async () => {} };
  }
  const running = options.adopt === false ? undefined : await runningPostgresUrl(config.MOLVA_HOME);
  if (running) return { url: running, close: async () => {} };
  const server = await startEmbeddedPostgres({
    home: config.MOLVA_HOME,
    ...(options.progress ? { progress: options.progress } : {}),
    ...(options.onLost ? { onLost: options.onLost } : {}),
  });
  return { url: server.url, note: server.note, close: () => server.stop() };
}

/** Runs work on the database and closes everything afterwards. */
export async function withDatabase<T>(
  config: Config,
  work: (sql: Sql, url: string) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config);
  try {
    return await withSql(database.url, (sql) => work(sql, database.url));
  } finally {
    await database.close();
  }
}

/** The same for an open database. */
export async function withSql<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect({ url, max: 4, name: "molva cli" });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Class 28: the role does not exist, or the password is wrong; PostgreSQL does not say which. */
function isSignInRefused(error: unknown): boolean {
  return codeOf(error)?.startsWith("28") ?? false;
}

async function requireAnswer(url: string): Promise<void> {
  const sql = connect({ url, max: 1 });
  try {
    await sql`select 1`;
  } catch (error) {
    const { shown = "", database = "" } = databaseAddress(url) ?? {};
    const why = error instanceof Error && error.message ? error.message : String(error);
    throw new UserError(
      isSignInRefused(error)
        ? `PostgreSQL at ${shown}/${database} does not let Molva in: ${why}. Check the role and the password in DATABASE_URL; ` +
            "`molva migrate` with DATABASE_OWNER_URL makes the role."
        : `PostgreSQL at ${shown}/${database} does not answer: ${why}. Check DATABASE_URL.`,
      exitCodes.unreachable,
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
}
