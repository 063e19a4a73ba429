import { createHash } from "node:crypto";
import type { Clock } from "../kernel/clock/index.ts";
import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { type Chain, chainsOf } from "./chains.ts";
import { csvHead, csvLine } from "./csv.ts";

/** JSON Lines can be verified; CSV is for reading in a spreadsheet. */
export const exportFormats = ["jsonl", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportPurpose = "audit export";
const rowsAtOnce = 500;

interface ExportDeps {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly clock: Clock;
}

/**
 * The audit as text, a line an entry, chain after chain. The first line of JSON Lines tells the ends of the chains, the last one the
 * hash of everything before it, signed: `verifyExport` finds any change. Each part is a whole number of lines.
 */
export async function* exportAudit(
  deps: ExportDeps,
  format: ExportFormat,
  chainId?: string,
): AsyncGenerator<string, void, undefined> {
  // Entries up to these ends cannot change any more, so no transaction has to be held while somebody reads slowly.
  const chains = await chainsOf(deps.sql, chainId);
  if (format === "csv") {
    yield csvHead;
    for await (const lines of linesOf(deps.sql, chains)) yield lines.map(csvLine).join("");
    return;
  }
  const hash = createHash("sha256");
  const told = (text: string) => {
    hash.update(text);
    return text;
  };
  yield told(`${JSON.stringify({ molva_audit: 1, exported_at: deps.clock.now().toISOString(), chains })}\n`);
  let entries = 0;
  for await (const lines of linesOf(deps.sql, chains)) {
    entries += lines.length;
    yield told(lines.map((line) => `${line}\n`).join(""));
  }
  const ends = { entries, sha256: hash.digest("hex"), key_id: deps.vault.keyIds[0] };
  const signature = deps.vault.sign(JSON.stringify(ends), exportPurpose);
  yield `${JSON.stringify({ ...ends, signature })}\n`;
}

async function* linesOf(sql: Sql, chains: readonly Chain[]): AsyncGenerator<string[]> {
  for (const { chain_id, purged_seq, last_seq } of chains) {
    let after = purged_seq;
    while (after < last_seq) {
      const page = await sql<{ seq: number; line: string }[]>`
        select seq, line from audit.export_lines(${chain_id}, ${after}, ${last_seq}, ${rowsAtOnce})`;
      const last = page.at(-1);
      // What is missing, verifying the export shows.
      if (!last) break;
      yield page.map(({ line }) => line);
      after = last.seq;
    }
  }
}
