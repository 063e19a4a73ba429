import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { systemClock } from "../kernel/clock/index.ts";
import { loadConfig } from "../kernel/config/index.ts";
import { createVault, generateKey } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { auditSettings } from "./environment.ts";
import { exportAudit, noteAudit, setAuditRetention, verifyAudit, verifyExport } from "./index.ts";
import { keepAudit } from "./keep-audit.ts";

const one = "0198c0de-0000-7000-8000-000000000001";
const day = 24 * 60 * 60 * 1000;
const vault = createVault([generateKey()]);
const ago = (days: number) => new Date(Date.now() - days * day);

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await testDatabase();
  sql = database.sql;
});
afterAll(() => database?.drop());
beforeEach(async () => {
  await setAuditRetention(sql, 365);
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`truncate audit.entries, audit.chains, audit.seals restart identity`;
  });
  for (const days of [400, 380, 100, 390, 10]) await note(one, days);
  await note(null, 400);
  // As every night since: none of these entries is new.
  await keepAudit({ sql, vault, now: new Date(), retentionDays: 36_500 });
});

const note = (workspaceId: string | null, daysAgo: number) =>
  noteAudit(
    sql,
    { workspaceId, actor: { kind: "system", id: null }, action: "x", result: "ok", meta: { daysAgo } },
    ago(daysAgo),
  );
const keep = (retentionDays: number, now = new Date()) => keepAudit({ sql, vault, now, retentionDays });
const verify = () => verifyAudit(sql, { vault });
const seqs = async () =>
  (await sql<{ seq: number }[]>`select seq from audit.entries where chain_id = ${one} order by seq`).map(
    ({ seq }) => seq,
  );

describe("the retention", () => {
  it("removes the old beginning of a chain, notes that, and what is left can still be verified", async () => {
    expect((await keep(365)).ok).toBe(true);
    // The fourth is as old, but comes after a younger one: a chain has no holes.
    expect(await seqs()).toEqual([3, 4, 5]);
    expect(await verify()).toMatchObject({ ok: true, findings: [] });
    expect(await sql`select meta from audit.entries where action = 'audit.purged'`).toMatchObject([
      {
        meta: {
          retention_days: 365,
          chains: [{ through_seq: 1 }, { chain_id: one, through_seq: 2, entries: 2 }],
        },
      },
    ]);
    await note(one, 0);
    expect(await seqs()).toEqual([3, 4, 5, 6]);
    const parts: Buffer[] = [];
    for await (const part of exportAudit({ sql, vault, clock: systemClock }, "jsonl"))
      parts.push(Buffer.from(part));
    expect((await verifyExport(parts, vault)).ok).toBe(true);
  });

  it("is never shorter than the owner of the database has set, and may be longer", async () => {
    await keep(30);
    expect(await seqs()).toEqual([3, 4, 5]);
    await setAuditRetention(sql, 90);
    await keep(365);
    expect(await seqs()).toEqual([3, 4, 5]);
    await keep(30);
    expect(await seqs()).toEqual([5]);
  });

  it("finds a change after it as before", async () => {
    await keep(365);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update audit.chains set purged_hash = repeat('b', 64) where chain_id = ${one}`;
    });
    expect((await verify()).findings.map(({ finding, seq }) => [finding, seq])).toEqual([
      ["unlinked", 3],
      ["rewritten", 5],
    ]);
  });

  it("is never shorter than thirty days, whatever is asked for and whatever time it is said to be", async () => {
    await note(one, 29);
    await setAuditRetention(sql, 30);
    await sql`select audit.purge(1, ${new Date(Date.now() + 1000 * day)})`;
    expect(await seqs()).toEqual([5, 6]);
    await expect(setAuditRetention(sql, 29)).rejects.toMatchObject({ code: "23514" });
    for (const MOLVA_AUDIT_RETENTION_DAYS of ["0", "29", "-1", "1e9"])
      expect(() => loadConfig({ MOLVA_AUDIT_RETENTION_DAYS }, [auditSettings])).toThrow(
        /MOLVA_AUDIT_RETENTION_DAYS/,
      );
    expect(loadConfig({}, [auditSettings])).toMatchObject({ MOLVA_AUDIT_RETENTION_DAYS: 365 });
  });

  it("removes and seals nothing while there is a finding, so that what it shows stays", async () => {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update audit.entries set action = 'y' where chain_id = ${one} and seq = 1`;
    });
    const [before] = await sql`select max(seal_id) as seal from audit.seals`;
    expect(await keep(365)).toMatchObject({ ok: false, findings: [{ finding: "changed", seq: 1 }] });
    expect(await seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(await sql`select max(seal_id) as seal from audit.seals`).toEqual([before]);
  });

  it("removes old seals, never the newest", async () => {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update audit.seals set sealed_at = ${ago(400)}`;
    });
    await keep(365);
    expect(await sql`select from audit.seals`).toHaveLength(2);
    await keep(365);
    expect(await sql`select from audit.seals where sealed_at < ${ago(365)}`).toHaveLength(0);
    expect((await verify()).ok).toBe(true);
  });
});
