import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { createVault, generateKey } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { installationChain } from "./chains.ts";
import { type AuditEntry, noteAudit, sealAudit, verifyAudit } from "./index.ts";
import { acceptFindings } from "./seal.ts";

const one = "0198c0de-0000-7000-8000-000000000001";
const other = "0198c0de-0000-7000-8000-000000000002";
const now = new Date("2026-11-18T12:00:00.123Z");
const vault = createVault([generateKey()]);

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await testDatabase({ max: 20 });
  sql = database.sql;
});
afterAll(() => database?.drop());
beforeEach(async () => {
  await tampering(
    (tx) => tx`truncate audit.entries, audit.chains, audit.pending, audit.seals restart identity`,
  );
});

const entry = (workspaceId: string | null, more: Partial<AuditEntry> = {}): AuditEntry => ({
  workspaceId,
  actor: { kind: "operator", id: "0198c0de-0000-7000-8000-00000000000a" },
  action: "config_changed",
  subject: { kind: "channel", id: "7" },
  result: "ok",
  address: "203.0.113.7",
  meta: { имя: 'Новости\n"кавычки" \u2028 \\', count: 1.5, nested: { b: [1, null], a: true } },
  ...more,
});
const note = (workspaceId: string | null, more: Partial<AuditEntry> = {}) =>
  noteAudit(sql, entry(workspaceId, more), now);

async function written(chains: readonly (string | null)[], times: number): Promise<void> {
  for (let n = 1; n <= times; n += 1) for (const chain of chains) await note(chain, { meta: { n } });
}

/** What the owner of the database can do: triggers do not stop them. */
async function tampering(work: (tx: Parameters<Parameters<Sql["begin"]>[1]>[0]) => PromiseLike<unknown>) {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await work(tx);
  });
}

const verify = () => verifyAudit(sql, { vault });
const found = async () =>
  (await verify()).findings.map(({ finding, workspace_id, seq, until_seq }) => [
    workspace_id,
    finding,
    seq,
    until_seq,
  ]);
const seal = () => sealAudit(sql, { vault, now });

const seqsOf = async (chainId: string) =>
  (await sql<{ seq: number }[]>`select seq from audit.entries where chain_id = ${chainId} order by seq`).map(
    ({ seq }) => seq,
  );
const upTo = (length: number) => Array.from({ length }, (_, index) => index + 1);

describe("an entry", () => {
  it("is chained to the one before it and kept as it was given", async () => {
    await note(one);
    await note(one, {
      actor: { kind: "anonymous", id: null },
      subject: undefined,
      address: null,
      result: "refused",
    });
    const rows = await sql`select * from audit.entries order by seq`;
    expect(rows).toMatchObject([
      { seq: 1, at: now, actor_kind: "operator", address: "203.0.113.7", prev_hash: "0".repeat(64) },
      { seq: 2, actor_kind: "anonymous", actor_id: null, subject_kind: null, result: "refused" },
    ]);
    expect(rows[1]?.prev_hash).toBe(rows[0]?.hash);
    expect(await sql`select from audit.pending`).toHaveLength(0);
    expect(await verify()).toMatchObject({ ok: true, entries: 2, chains: 1, findings: [] });
  });

  it("is written with its change or not at all, and a rolled back one leaves no gap", async () => {
    await note(one);
    await expect(
      sql.begin(async (tx) => {
        await noteAudit(tx, entry(one), now);
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    await note(one);
    expect(await seqsOf(one)).toEqual([1, 2]);
  });

  it("hashes alike whatever the time zone, date style and language of the session", async () => {
    await written([one], 2);
    const hashes = await sql.begin(async (tx) => {
      await tx`set local timezone = 'Asia/Kathmandu'`;
      await tx`set local datestyle = 'German, DMY'`;
      await tx`set local intervalstyle = 'sql_standard'`;
      await tx`set local lc_time = 'C'`;
      await tx`set local extra_float_digits = 0`;
      return tx`select hash = audit.line_hash(e) as same from audit.entries e`;
    });
    expect(hashes.every(({ same }) => same)).toBe(true);
  });

  it("is the same after a dump and a restore of its row", async () => {
    await note(one);
    const [row] = await sql<{ text: string; same: boolean }[]>`
      select e::text as text, audit.line(e) = audit.line((e::text)::audit.entries) as same from audit.entries e`;
    expect(row?.same).toBe(true);
  });
});

describe("many writers at once", () => {
  it("leave no gap in any chain, and none waits for another for ever", async () => {
    const rounds = upTo(60).map((n) =>
      sql.begin(async (tx) => {
        // In both orders, and more than once: locks taken at once would end in a deadlock.
        const chains = n % 2 === 0 ? [one, null, other, one] : [other, one, null, other];
        for (const chain of chains) await noteAudit(tx, entry(chain, { meta: { n } }), now);
      }),
    );
    await Promise.all(rounds);
    expect(await seqsOf(installationChain)).toEqual(upTo(60));
    expect(await seqsOf(one)).toEqual(upTo(90));
    expect(await seqsOf(other)).toEqual(upTo(90));
    expect((await verify()).ok).toBe(true);
  });

  it("do not wait for a long transaction that has noted something", async () => {
    await sql.begin(async (tx) => {
      await noteAudit(tx, entry(one, { action: "first" }), now);
      await note(one, { action: "second" });
      expect(await seqsOf(one)).toEqual([1]);
    });
    const actions = await sql<{ action: string }[]>`select action from audit.entries order by seq`;
    expect(actions.map(({ action }) => action)).toEqual(["second", "first"]);
  });
});

describe("what was written", () => {
  beforeEach(() => written([one], 3));

  it.each([
    ["changed", "update audit.entries set action = 'x'"],
    ["removed", "delete from audit.entries where seq = 3"],
    ["removed from the beginning", "delete from audit.entries where seq = 1"],
    ["emptied", "truncate audit.entries"],
    ["emptied with its chains", "truncate audit.chains"],
    ["given up with its chain", "delete from audit.chains"],
    ["shortened", "update audit.chains set last_seq = 1"],
  ])("cannot be %s by a mistake of the server", async (_, statement) => {
    await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: "23001" });
    expect(await found()).toEqual([]);
  });

  it("cannot be removed by moving the anchor, as long as it is younger than the shortest retention", async () => {
    const recent = new Date();
    await noteAudit(sql, entry(other), recent);
    await expect(
      sql.begin(async (tx) => {
        await tx`update audit.chains set purged_seq = last_seq where chain_id = ${other}`;
        await tx`delete from audit.entries where chain_id = ${other}`;
      }),
    ).rejects.toMatchObject({ code: "23001" });
  });

  it("has seals that stay, too", async () => {
    await seal();
    await expect(sql`update audit.seals set body = '{}'`).rejects.toMatchObject({ code: "23001" });
    await expect(sql`delete from audit.seals`).rejects.toMatchObject({ code: "23001" });
  });
});

describe("verifying finds what the owner of the database did:", () => {
  beforeEach(() => written([one, other, null], 6));

  it("an entry changed", async () => {
    await tampering((tx) => tx`update audit.entries set actor_id = 'me' where chain_id = ${one} and seq = 3`);
    expect(await found()).toEqual([[one, "changed", 3, 3]]);
  });

  it.each([
    ["at", "'2020-01-01'"],
    ["actor_kind", "'system'"],
    ["action", "'other'"],
    ["subject_id", "'8'"],
    ["result", "'refused'"],
    ["address", "null"],
    ["meta", `'{"n": 7}'`],
  ])("its %s alone", async (column, value) => {
    await tampering((tx) =>
      tx.unsafe(`update audit.entries set ${column} = ${value} where chain_id = '${one}' and seq = 2`),
    );
    expect(await found()).toEqual([[one, "changed", 2, 2]]);
  });

  it("an entry changed and its hash made to fit", async () => {
    await tampering(async (tx) => {
      await tx`update audit.entries set action = 'x' where chain_id = ${one} and seq = 3`;
      await tx`update audit.entries e set hash = audit.line_hash(e) where chain_id = ${one} and seq = 3`;
    });
    expect(await found()).toEqual([[one, "unlinked", 4, 4]]);
  });

  it("an entry removed, or several", async () => {
    await tampering((tx) => tx`delete from audit.entries where chain_id = ${one} and seq in (2, 4, 5)`);
    expect(await found()).toEqual([
      [one, "missing", 2, 2],
      [one, "missing", 4, 5],
    ]);
  });

  it("the first entries removed", async () => {
    await tampering((tx) => tx`delete from audit.entries where chain_id = ${one} and seq < 3`);
    expect(await found()).toEqual([[one, "missing", 1, 2]]);
  });

  it("the tail cut off", async () => {
    await tampering((tx) => tx`delete from audit.entries where chain_id = ${one} and seq > 4`);
    expect(await found()).toEqual([[one, "missing", 5, 6]]);
  });

  it("an entry inserted between two, the later ones moved up", async () => {
    await tampering(async (tx) => {
      await tx`update audit.entries set seq = seq + 100 where chain_id = ${one} and seq > 2`;
      await tx`update audit.entries set seq = seq - 99 where chain_id = ${one} and seq > 100`;
      await tx`
        insert into audit.entries
        select chain_id, 3, at, actor_kind, actor_id, 'forged', subject_kind, subject_id, result, address, meta, hash, hash
        from audit.entries where chain_id = ${one} and seq = 2`;
      await tx`update audit.entries e set hash = audit.line_hash(e) where action = 'forged'`;
    });
    expect((await found())[0]).toEqual([one, "changed", 4, 4]);
  });

  it("an entry added beyond the end", async () => {
    await tampering(
      (tx) => tx`
        insert into audit.entries
        select chain_id, 7, at, actor_kind, actor_id, 'forged', subject_kind, subject_id, result, address, meta, hash, hash
        from audit.entries where chain_id = ${one} and seq = 6`,
    );
    expect(await found()).toEqual([
      [one, "added", 7, 7],
      [one, "changed", 7, 7],
    ]);
  });

  it("two entries in each other's places", async () => {
    await tampering(async (tx) => {
      await tx`update audit.entries set seq = 100 where chain_id = ${one} and seq = 2`;
      await tx`update audit.entries set seq = 2 where chain_id = ${one} and seq = 4`;
      await tx`update audit.entries set seq = 4 where chain_id = ${one} and seq = 100`;
    });
    expect(await found()).toEqual([
      [one, "changed", 2, 2],
      [one, "changed", 4, 4],
    ]);
  });

  it("entries of two chains swapped", async () => {
    await tampering(async (tx) => {
      await tx`update audit.entries set seq = 100 where chain_id = ${one} and seq = 3`;
      await tx`update audit.entries set chain_id = ${one} where chain_id = ${other} and seq = 3`;
      await tx`update audit.entries set chain_id = ${other}, seq = 3 where chain_id = ${one} and seq = 100`;
    });
    expect(await found()).toEqual([
      [one, "changed", 3, 3],
      [other, "changed", 3, 3],
    ]);
  });

  it("the row of a chain removed", async () => {
    await tampering((tx) => tx`delete from audit.chains where chain_id = ${one}`);
    expect((await found())[0]).toEqual([one, "added", 1, 1]);
  });

  it("the end of the chain's row changed", async () => {
    await tampering((tx) => tx`update audit.chains set last_hash = repeat('a', 64) where chain_id = ${one}`);
    expect(await found()).toEqual([[one, "changed", 6, 6]]);
  });

  it("in the newest part alone, when only that is asked for", async () => {
    await tampering(
      (tx) => tx`update audit.entries set action = 'x' where chain_id = ${one} and seq in (2, 6)`,
    );
    const { findings } = await verifyAudit(sql, { vault }, { newest: 2 });
    expect(findings.map(({ seq }) => seq)).toEqual([6]);
  });
});

describe("a seal finds what fits together in the database:", () => {
  beforeEach(async () => {
    await written([one, other], 6);
    await seal();
    await written([one], 2);
  });

  it("a tail cut off, and the chain's end with it", async () => {
    await tampering(async (tx) => {
      await tx`delete from audit.entries where chain_id = ${one} and seq > 4`;
      await tx`
        update audit.chains c set last_seq = 4, last_hash = e.hash
        from audit.entries e where c.chain_id = ${one} and e.chain_id = ${one} and e.seq = 4`;
    });
    expect(await found()).toEqual([[one, "missing", 5, 6]]);
  });

  it("a whole chain gone", async () => {
    await tampering(async (tx) => {
      await tx`delete from audit.entries where chain_id = ${other}`;
      await tx`delete from audit.chains where chain_id = ${other}`;
    });
    expect(await found()).toEqual([[other, "missing", 1, 6]]);
  });

  it("a chain written anew from the middle", async () => {
    await tampering(async (tx) => {
      await tx`update audit.entries set action = 'x' where chain_id = ${one} and seq = 3`;
      await tx.unsafe(rechain(one));
    });
    expect(await found()).toEqual([[one, "rewritten", 6, 6]]);
  });

  it("a beginning removed, and the anchor moved with it", async () => {
    await tampering(async (tx) => {
      await tx`
        update audit.chains c set purged_seq = 3, purged_hash = e.hash
        from audit.entries e where c.chain_id = ${one} and e.chain_id = ${one} and e.seq = 3`;
      await tx`delete from audit.entries where chain_id = ${one} and seq <= 3`;
    });
    expect(await found()).toEqual([[one, "missing", 1, 3]]);
  });

  it("itself altered, or signed by nobody who has a key", async () => {
    await tampering((tx) => tx`update audit.seals set body = replace(body, '"last_seq":6', '"last_seq":5')`);
    expect(await found()).toEqual([[null, "seal_invalid", null, null]]);
    await tampering(
      (tx) => tx`
        update audit.seals set body = '{}', signature = ${createVault([generateKey()]).sign("{}", "audit seal")}`,
    );
    expect(await found()).toEqual([[null, "seal_invalid", null, null]]);
  });

  it("all seals removed", async () => {
    await tampering((tx) => tx`delete from audit.seals`);
    expect(await found()).toEqual([[null, "seal_missing", null, null]]);
  });

  it("and an administrator accepts what cannot be mended, which is noted and not reported again", async () => {
    await tampering((tx) => tx`update audit.entries set action = 'x' where chain_id = ${one} and seq = 3`);
    const { findings, acceptedNames } = await verify();
    const by = {
      actor: { kind: "command", id: null },
      operator: "command:uid:501@host",
      reason: "a restored table",
    } as const;
    await acceptFindings(sql, { vault, now }, { findings, accepted: acceptedNames }, by);
    expect(await verify()).toMatchObject({ ok: true, accepted: 1, findings: [] });
    expect(await sql`select meta from audit.entries where action = 'audit.accepted'`).toMatchObject([
      { meta: { reason: "a restored table", findings: [`${one}:3:3:changed`] } },
    ]);
    await tampering((tx) => tx`update audit.entries set action = 'y' where chain_id = ${one} and seq = 2`);
    expect(await found()).toEqual([[one, "changed", 2, 2]]);
  });
});

/** Makes all hashes of a chain fit again, as somebody would who knows how they are made. */
const rechain = (chainId: string) => `
  do $$
  declare
    v_entry audit.entries;
    v_before text := repeat('0', 64);
  begin
    for v_entry in select * from audit.entries where chain_id = '${chainId}' order by seq loop
      v_entry.prev_hash := v_before;
      v_entry.hash := audit.line_hash(v_entry);
      v_before := v_entry.hash;
      update audit.entries set prev_hash = v_entry.prev_hash, hash = v_entry.hash
      where chain_id = v_entry.chain_id and seq = v_entry.seq;
    end loop;
    update audit.chains set last_hash = v_before where chain_id = '${chainId}';
  end
  $$`;
