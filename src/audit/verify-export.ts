import { createHash } from "node:crypto";
import { z } from "zod";
import { sha256Hex, type Vault } from "../kernel/crypto/index.ts";
import { type Chain, installationChain } from "./chains.ts";
import { exportPurpose } from "./export.ts";
import { exportedEntry } from "./exported-entry.ts";
import { type Finding, findingOf, type Verdict } from "./findings.ts";

const head = z.strictObject({
  molva_audit: z.literal(1),
  exported_at: z.iso.datetime(),
  chains: z.array(
    z.strictObject({
      chain_id: z.uuid(),
      purged_seq: z.int(),
      purged_hash: z.string(),
      last_seq: z.int(),
      last_hash: z.string(),
    }),
  ),
});

const foot = z.strictObject({
  entries: z.int(),
  sha256: z.string(),
  key_id: z.string(),
  signature: z.string(),
});

/** A line ends so; the hash covers the rest of it. */
const ending = /,"hash":"([0-9a-f]{64})"\}$/;

/** Checks an export, without a database. Without keys, everything but the signature is checked. */
export async function verifyExport(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  vault?: Vault,
): Promise<Verdict> {
  const whole = createHash("sha256");
  const findings: Finding[] = [];
  let chains: Chains | undefined;
  let number = 0;
  let last: Buffer | undefined;

  for await (const line of linesOf(bytes)) {
    if (last) take(last);
    last = line;
  }
  if (!chains || !last?.toString().endsWith("\n")) {
    findings.push(...(chains?.unended() ?? []), findingOf("incomplete", null));
  } else {
    findings.push(
      ...chains.unended(),
      ...footFindings(last.toString(), whole.digest("hex"), chains.entries, vault),
    );
  }
  return {
    ok: findings.length === 0,
    entries: chains?.entries ?? 0,
    chains: chains?.count ?? 0,
    sealed_at: chains?.exportedAt ?? null,
    accepted: 0,
    findings,
  };

  function take(line: Buffer): void {
    whole.update(line);
    number += 1;
    const text = line.toString().slice(0, -1);
    if (chains) return void findings.push(...chains.findingsIn(text, number));
    const read = head.safeParse(parsed(text));
    chains = createChains(read.success ? read.data : { exported_at: null, chains: [] });
    if (!read.success) findings.push(findingOf("malformed", null, { detail: "line 1" }));
  }
}

interface Chains {
  readonly entries: number;
  readonly count: number;
  readonly exportedAt: string | null;
  findingsIn(line: string, number: number): Finding[];
  /** Chains whose end did not come. */
  unended(): Finding[];
}

/** Follows the chains that the first line names. */
function createChains({
  exported_at,
  chains,
}: {
  readonly exported_at: string | null;
  readonly chains: readonly Chain[];
}): Chains {
  const at = new Map(
    chains.map(({ chain_id, purged_seq, purged_hash, last_seq, last_hash }) => [
      chain_id,
      { seq: purged_seq, hash: purged_hash, fits: true, last_seq, last_hash },
    ]),
  );
  let entries = 0;
  return {
    exportedAt: exported_at,
    count: chains.length,
    get entries() {
      return entries;
    },
    findingsIn(line, number) {
      const read = exportedEntry.safeParse(parsed(line));
      const hash = ending.exec(line)?.[1];
      if (!read.success || !hash) return [findingOf("malformed", null, { detail: `line ${number}` })];
      entries += 1;
      const { chain_id, seq, prev_hash } = read.data;
      const workspaceId = workspaceOf(chain_id);
      const detail = `line ${number}`;
      const chain = at.get(chain_id);
      if (!chain || seq <= chain.seq || seq > chain.last_seq)
        return [findingOf("added", workspaceId, { seq, detail })];
      const isChanged = sha256Hex(`${line.replace(ending, "")}}`) !== hash;
      const isUnlinked = seq === chain.seq + 1 && chain.fits && prev_hash !== chain.hash;
      const isOtherEnd = seq === chain.last_seq && hash !== chain.last_hash;
      const found = [
        ...(seq > chain.seq + 1
          ? [findingOf("missing", workspaceId, { seq: chain.seq + 1, until: seq - 1, detail })]
          : []),
        ...(isChanged ? [findingOf("changed", workspaceId, { seq, detail })] : []),
        ...(!isChanged && (isUnlinked || isOtherEnd)
          ? [findingOf("unlinked", workspaceId, { seq, detail })]
          : []),
      ];
      at.set(chain_id, { ...chain, seq, hash, fits: !isChanged });
      return found;
    },
    unended: () =>
      [...at].flatMap(([chainId, { seq, last_seq }]) =>
        seq < last_seq ? [findingOf("missing", workspaceOf(chainId), { seq: seq + 1, until: last_seq })] : [],
      ),
  };
}

function footFindings(line: string, sha256: string, entries: number, vault: Vault | undefined): Finding[] {
  const read = foot.safeParse(parsed(line));
  if (!read.success) return [findingOf("incomplete", null)];
  const told = read.data;
  // Exactly as it was written: even a space more was not ours.
  const isExact = line === `${JSON.stringify(told)}\n`;
  if (!isExact || told.sha256 !== sha256 || told.entries !== entries) return [findingOf("altered", null)];
  const { signature, ...ends } = told;
  if (vault && !vault.isSigned(JSON.stringify(ends), signature, exportPurpose))
    return [findingOf("seal_invalid", null, { detail: `its key is called ${told.key_id}` })];
  return [];
}

const workspaceOf = (chainId: string) => (chainId === installationChain ? null : chainId);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Lines with their ends; the last one may have none. */
async function* linesOf(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of bytes) {
    rest = rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part]);
    let from = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, from)) {
      yield rest.subarray(from, end + 1);
      from = end + 1;
    }
    rest = rest.subarray(from);
  }
  if (rest.length > 0) yield rest;
}
