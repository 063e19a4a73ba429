import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { silentLog } from "../log/index.ts";
import { createKeyValue, type KeyValue } from "./index.ts";
import { keyValueContract } from "./key-value.contract.ts";

let database: TestDatabase;
let kv: KeyValue;

beforeAll(async () => {
  database = await testDatabase();
  kv = await createKeyValue({ sql: database.sql, log: silentLog });
});
afterAll(() => database.drop());

describe("keys and values in PostgreSQL", () => {
  keyValueContract(() => kv);

  it("hide an expired row before it is purged, and purge only expired rows", async () => {
    const { sql } = database;
    await sql`delete from molva.kv`;
    await kv.set("lives", "1", { ttlMs: 60_000 });
    await kv.set("stays", "1");
    await sql`
      insert into molva.kv (key, value, expires_at)
      select 'old:' || n, '1', now() - interval '1 second' from generate_series(1, 12000) n`;
    expect(await kv.get("old:1")).toBeUndefined();
    expect(await kv.increment("old:1")).toBe(1);
    expect(await kv.purgeExpired()).toBe(11_999);
    expect(await kv.purgeExpired()).toBe(0);
    const left = await sql<{ key: string }[]>`select key from molva.kv order by key`;
    expect(left.map((row) => row.key)).toEqual(["lives", "old:1", "stays"]);
  });
});
