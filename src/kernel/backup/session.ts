/**
 * One connection for COPY. The driver used elsewhere loses the error of a COPY FROM that fails at its end, so this one is node-postgres,
 * which the job queue uses already.
 */
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { createPrimary } from "../db/index.ts";
import { type DatabaseHost, databaseAddress } from "../url/index.ts";

export interface Session {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  copyOut(query: string): Readable;
  copyIn(statement: string): Writable;
  /** Ends the connection, and with it whatever still runs on it. */
  close(): Promise<void>;
}

/** Values have one text form, whatever the server's or the role's settings; row security refuses instead of hiding rows. */
const settings = `
  set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set extra_float_digits = 3;
  set bytea_output = 'hex'; set row_security = off; set statement_timeout = 0; set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0`;

const findWithinMs = 10_000;

export async function openSession(url: string): Promise<Session> {
  const { connectionString, host } = await oneHostOf(url);
  // Kept at hand: a connection in the middle of a COPY cannot be ended politely.
  const socket = new Socket();
  const client = new pg.Client({
    connectionString,
    application_name: "molva backup",
    stream: () => socket,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // `pg` reads an IPv6 address in a URL with its brackets.
  Object.assign(client, host);
  // Whatever runs on it fails with the same error.
  client.on("error", () => {});
  await client.connect();
  await client.query(settings);
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
    copyOut: (query) => client.query(copyTo(`copy (${query}) to stdout`)),
    copyIn: (statement) => client.query(copyFrom(statement)),
    async close() {
      socket.destroy();
    },
  };
}

/** Several hosts are unknown to `pg`, so the one that takes writes is found first. */
async function oneHostOf(url: string): Promise<{ connectionString: string; host?: DatabaseHost }> {
  const address = databaseAddress(url);
  if (!address?.primaryOnly) return { connectionString: url };
  const host = await createPrimary(address, { findWithinMs }).find();
  return { connectionString: address.at(host), host };
}

/** Runs work on a connection of its own and closes it. */
export async function withSession<T>(url: string, work: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession(url);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
