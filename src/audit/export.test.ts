import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { manualClock } from "../kernel/clock/index.ts";
import { createVault, generateKey } from "../kernel/crypto/index.ts";
import { exportAudit, noteAudit, verifyExport } from "./index.ts";

const one = "0198c0de-0000-7000-8000-000000000001";
const other = "0198c0de-0000-7000-8000-000000000002";
const clock = manualClock(new Date("2026-11-18T12:00:00.123Z"));
const vault = createVault([generateKey()]);

let database: TestDatabase;
let exported: string;

beforeAll(async () => {
  database = await testDatabase();
  const metas = [
    { text: 'Новости, "кавычки"\n\u2028' },
    { n: 1.5, list: [1, null, "a"] },
    {},
    { formula: "=1+1" },
  ];
  for (const meta of metas)
    for (const workspaceId of [one, null, other])
      await noteAudit(
        database.sql,
        { workspaceId, actor: { kind: "command", id: null }, action: "=config", result: "ok", meta },
        clock.now(),
      );
  exported = await textOf("jsonl");
});
afterAll(() => database?.drop());

async function textOf(format: "jsonl" | "csv", chainId?: string): Promise<string> {
  const parts: string[] = [];
  for await (const part of exportAudit({ sql: database.sql, vault, clock }, format, chainId))
    parts.push(part);
  return parts.join("");
}

const verify = (text: string, keys: typeof vault | undefined = vault) =>
  verifyExport([Buffer.from(text)], keys);
const findingsIn = async (text: string) =>
  (await verify(text)).findings.map(({ finding, workspace_id, seq, until_seq }) => [
    workspace_id,
    finding,
    seq,
    until_seq,
  ]);
const linesOf = (text: string) => text.trimEnd().split("\n");
const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
/** The lines are: the head, four of the installation, four of `one`, four of `other`, the foot. */
const at = (lines: readonly string[], place: number) => lines[place] ?? "";

describe("an export", () => {
  it("is whole, says where each chain begins and ends, and can be checked without a database", async () => {
    expect(await verify(exported)).toEqual({
      ok: true,
      entries: 12,
      chains: 3,
      sealed_at: clock.now().toISOString(),
      accepted: 0,
      findings: [],
    });
    // Whoever has no key checks everything but the signature.
    const { ok } = await verifyExport([Buffer.from(exported)]);
    expect(ok).toBe(true);
    expect((await verify(exported, createVault([generateKey()]))).findings).toMatchObject([
      { finding: "seal_invalid" },
    ]);
  });

  it("of one workspace has nothing of the others", async () => {
    const text = await textOf("jsonl", one);
    expect(linesOf(text)).toHaveLength(6);
    expect(text).not.toContain(other);
    expect((await verify(text)).ok).toBe(true);
  });

  it("is read the same in whatever pieces it comes", async () => {
    const bytes = Buffer.from(exported);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) =>
      bytes.subarray(n * 7, n * 7 + 7),
    );
    expect((await verifyExport(pieces, vault)).ok).toBe(true);
  });

  it("shows at the right place what was done to it", async () => {
    const lines = linesOf(exported);
    const changed = lines.with(6, at(lines, 6).replace('"ok"', '"no"'));
    expect(await findingsIn(joined(changed))).toContainEqual([one, "changed", 2, 2]);
    expect(await findingsIn(joined(lines.toSpliced(6, 1)))).toContainEqual([one, "missing", 2, 2]);
    expect(await findingsIn(joined(lines.toSpliced(8, 1)))).toContainEqual([one, "missing", 4, 4]);
    expect(await findingsIn(joined(lines.toSpliced(6, 0, at(lines, 6))))).toContainEqual([
      one,
      "added",
      2,
      2,
    ]);
    const swapped = lines.with(6, at(lines, 7)).with(7, at(lines, 6));
    expect(await findingsIn(joined(swapped))).toContainEqual([one, "missing", 2, 2]);
    expect(await findingsIn(joined(lines.slice(0, -1)))).toContainEqual([null, "incomplete", null, null]);
    expect(await findingsIn(joined(lines.slice(0, 8)))).toContainEqual([other, "missing", 1, 4]);
    expect(await findingsIn("")).toEqual([[null, "incomplete", null, null]]);
  });

  it("hides no single change of a byte, no line removed, doubled or moved", async () => {
    const bytes = Buffer.from(exported);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (place, by) => {
        const altered = Buffer.from(bytes);
        altered[place] = ((altered[place] ?? 0) + by) % 256;
        expect((await verifyExport([altered], vault)).ok).toBe(false);
      }),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.constantFrom("", "\n", " ", "{}"), async (place, put) => {
        const altered = Buffer.concat([
          bytes.subarray(0, place),
          Buffer.from(put),
          bytes.subarray(place + (put === "" ? 1 : 0)),
        ]);
        expect((await verifyExport([altered], vault)).ok).toBe(false);
      }),
      { numRuns: 200 },
    );
    const lines = linesOf(exported);
    const place = fc.nat(lines.length - 1);
    await fc.assert(
      fc.asyncProperty(place, place, fc.constantFrom("remove", "double", "move"), async (from, to, act) => {
        fc.pre(act !== "move" || from !== to);
        const rest = act === "double" ? lines : lines.toSpliced(from, 1);
        const altered = act === "remove" ? rest : rest.toSpliced(to, 0, at(lines, from));
        expect((await verify(joined(altered))).ok).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it("is a table for people, too, in which no cell is a formula", async () => {
    const [head, first, ...rest] = (await textOf("csv")).split("\r\n");
    expect(head).toBe(
      "workspace_id,seq,at,actor_kind,actor_id,action,subject_kind,subject_id,result,address,meta,prev_hash,hash",
    );
    expect(first).toContain(",1,2026-11-18T12:00:00.123000Z,command,,'=config,,,ok,,");
    expect(rest.at(-1)).toBe("");
  });
});
