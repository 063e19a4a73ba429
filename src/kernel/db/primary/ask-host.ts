import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import type { DatabaseAddress, DatabaseHost } from "../../url/index.ts";
import type { HostAnswer } from "./choose-primary.ts";

/** A host that has not answered by then is taken for lost. */
const answerWithinMs = 3_000;

/** Asks all hosts at once. After one has said that it takes writes, the others have `graceMs` left, and are left out otherwise. */
export async function askHosts(address: DatabaseAddress, graceMs = answerWithinMs): Promise<HostAnswer[]> {
  const answers: HostAnswer[] = [];
  const { promise: oneFound, resolve: found } = promiseWithResolvers();
  const all = Promise.all(
    address.hosts.map(async (host) => {
      const answer = await askHost(address, host);
      answers.push(answer);
      if (answer.kind === "writable") found();
    }),
  );
  await Promise.race([all, oneFound.then(() => delay(graceMs))]);
  return [...answers];
}

async function askHost(address: DatabaseAddress, host: DatabaseHost): Promise<HostAnswer> {
  const sql = postgres(address.at(host), {
    ...{ max: 1, fetch_types: false, connect_timeout: answerWithinMs / 1_000 },
    // The driver cannot read an IPv6 address. TLS checks the certificate against `host`.
    ...{ socket: () => Object.assign(connect(host.port, host.host), { host: host.host }) },
    connection: { application_name: "molva primary", statement_timeout: answerWithinMs },
    onnotice: () => undefined,
  });
  const impatience = new AbortController();
  try {
    const asked = sql<[{ readOnly: boolean; system: string; timeline: number | null }]>`
      select current_setting('transaction_read_only') = 'on' as "readOnly",
        (select system_identifier::text from pg_control_system()) as system,
        case when not pg_is_in_recovery()
          then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`;
    const silence = delay(answerWithinMs, undefined, { signal: impatience.signal });
    const rows = await Promise.race([asked, silence]);
    if (!rows) return { kind: "failed", host, error: new Error(`no answer within ${answerWithinMs} ms`) };
    const [{ readOnly, system, timeline }] = rows;
    return readOnly || timeline === null
      ? { kind: "readOnly", host }
      : { kind: "writable", host, system, timeline };
  } catch (error) {
    return { kind: "failed", host, error };
  } finally {
    impatience.abort();
    await sql.end({ timeout: 0 });
  }
}

function promiseWithResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
