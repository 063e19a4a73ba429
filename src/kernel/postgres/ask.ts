import postgres from "postgres";
import { database, patience, superuser } from "./server-settings.ts";

export interface Address {
  readonly port: number;
  readonly password: string;
}

export function urlOf({ port, password }: Address, name: string = database): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${name}`;
}

/** The data folder of the server at this address if it accepts our password, else undefined. */
export async function answeringDataFolder(address: Address): Promise<string | undefined> {
  const sql = adminConnection(address);
  try {
    const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`;
    return row?.folder;
  } catch {
    return undefined; // refused, wrong password, no answer: in each case it is not ours
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export async function ensureDatabase(address: Address): Promise<void> {
  const sql = adminConnection(address);
  try {
    const found = await sql`select from pg_database where datname = ${database}`;
    if (found.length === 0) await sql`create database ${sql(database)}`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function adminConnection(address: Address) {
  return postgres(urlOf(address, "postgres"), {
    max: 1,
    connect_timeout: patience.answer / 1000,
    connection: { application_name: "molva start", statement_timeout: patience.ready },
  });
}
