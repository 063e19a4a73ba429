/** Keys and values in `molva.kv`. Expired rows are ignored even before a purge. */

import type { Sql } from "../db/index.ts";
import { codeOf } from "../errors/index.ts";
import {
  checkKey,
  checkStep,
  checkTtl,
  checkValue,
  type KeyValue,
  type Life,
  NotACounterError,
} from "./key-value.ts";

/** Small, so that a purge never locks many rows for long. */
const purgeBatch = 5_000;
const listedBatch = 500;
const notANumber = new Set(["22P02", "22003"]);

export function createPostgresKeyValue(sql: Sql): KeyValue {
  const expiry = (ttlMs: number | undefined) =>
    sql`now() + ${ttlMs ?? null}::float8 * interval '1 millisecond'`;

  async function put(key: string, value: string, { ttlMs }: Life, onlyIfAbsent: boolean): Promise<boolean> {
    checkKey(key);
    checkValue(value);
    checkTtl(ttlMs);
    const written = await sql`
      insert into molva.kv as kv (key, value, expires_at)
      values (${key}, ${value}, ${expiry(ttlMs)})
      on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at
      where not ${onlyIfAbsent} or kv.expires_at <= now()`;
    return written.count > 0;
  }

  return {
    async get(key) {
      checkKey(key);
      const [row] = await sql<{ value: string }[]>`
        select value from molva.kv where key = ${key} and (expires_at is null or expires_at > now())`;
      return row?.value;
    },

    async set(key, value, life = {}) {
      await put(key, value, life, false);
    },

    setIfAbsent: (key, value, life = {}) => put(key, value, life, true),

    async delete(key) {
      checkKey(key);
      const rows = await sql<{ alive: boolean }[]>`
        delete from molva.kv where key = ${key}
        returning expires_at is null or expires_at > now() as alive`;
      return rows[0]?.alive ?? false;
    },

    async increment(key, by = 1, { ttlMs } = {}) {
      checkKey(key);
      checkStep(by);
      checkTtl(ttlMs);
      try {
        const [row] = await sql<{ sum: number }[]>`
          insert into molva.kv as kv (key, value, expires_at)
          values (${key}, ${String(by)}, ${expiry(ttlMs)})
          on conflict (key) do update set
            value = case when kv.expires_at <= now() then excluded.value
                         else (kv.value::bigint + excluded.value::bigint)::text end,
            expires_at = case when kv.expires_at <= now() then excluded.expires_at else kv.expires_at end
          returning value::bigint as sum`;
        return Number(row?.sum);
      } catch (error) {
        if (notANumber.has(codeOf(error) ?? "")) throw new NotACounterError(key, { cause: error });
        throw error;
      }
    },

    async expire(key, ttlMs) {
      checkKey(key);
      checkTtl(ttlMs);
      const changed = await sql`
        update molva.kv set expires_at = ${expiry(ttlMs)}
        where key = ${key} and (expires_at is null or expires_at > now())`;
      return changed.count > 0;
    },

    async *keysWith(prefix) {
      checkKey(prefix);
      let last = "";
      while (true) {
        const rows = await sql<{ key: string }[]>`
          select key from molva.kv
          where key > ${last} and starts_with(key, ${prefix}) and (expires_at is null or expires_at > now())
          order by key limit ${listedBatch}`;
        if (rows.length > 0) yield rows.map(({ key }) => key);
        if (rows.length < listedBatch) return;
        last = rows.at(-1)?.key ?? "";
      }
    },

    async replace(key, from, to) {
      checkKey(key);
      checkValue(to);
      const changed = await sql`
        update molva.kv set value = ${to}
        where key = ${key} and value = ${from} and (expires_at is null or expires_at > now())`;
      return changed.count > 0;
    },

    async purgeExpired() {
      let total = 0;
      for (let purged = purgeBatch; purged === purgeBatch; total += purged) {
        // Uses kv_expires_at; locked rows are being renewed and are left to the next purge.
        const removed = await sql`
          delete from molva.kv where key in (
            select key from molva.kv where expires_at <= now() limit ${purgeBatch} for update skip locked)`;
        purged = removed.count;
      }
      return total;
    },

    // The caller opened the pool and closes it.
    close: async () => {},
  };
}
