import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../kernel/db/index.ts";
import { type Chain, chainIds, chainsOf, installationChain } from "./chains.ts";
import { type Finding, type FindingKind, findingOf, nameOf, type Verdict } from "./findings.ts";
import { findingsAgainst, newestSeal, type ReadSeal } from "./seal.ts";

export interface VerifyDeps {
  readonly vault: Vault;
}

export interface Extent {
  /** One chain only. */
  readonly chainId?: string | undefined;
  /** Only so many of the newest entries of each chain. */
  readonly newest?: number | undefined;
}

/** More would help nobody. */
const mostFindings = 1_000;

/** Checks that the chains in the database are whole, unchanged, and the ones that were sealed. */
export async function verifyAudit(
  sql: Sql,
  deps: VerifyDeps,
  extent: Extent = {},
): Promise<Verdict & { acceptedNames: string[] }> {
  // One snapshot: meanwhile entries are added, and the retention may remove some.
  return sql.begin("isolation level repeatable read read only", async (tx) => {
    const ids = await chainIds(tx, extent.chainId);
    const found = new Map((await chainsOf(tx, extent.chainId)).map((chain) => [chain.chain_id, chain]));
    const seal = await newestSeal(tx, deps.vault);
    const findings: Finding[] = [];
    for (const id of ids)
      if (findings.length < mostFindings) findings.push(...(await findingsOf(tx, id, extent.newest)));
    findings.push(...(await sealFindings(tx, seal, found, extent)));
    const accepted = new Set(seal.kind === "valid" ? seal.seal.accepted : []);
    const known = new Map(findings.map((finding) => [nameOf(finding), finding]));
    const open = [...known].filter(([name]) => !accepted.has(name)).map(([, finding]) => finding);
    return {
      ok: open.length === 0,
      entries: [...found.values()].reduce((sum, chain) => sum + lengthOf(chain, extent.newest), 0),
      chains: ids.length,
      sealed_at: seal.kind === "valid" ? seal.seal.sealed_at : null,
      accepted: known.size - open.length,
      acceptedNames: [...accepted],
      findings: open.slice(0, mostFindings),
    };
  });
}

function lengthOf({ last_seq, purged_seq }: Chain, newest = Number.POSITIVE_INFINITY): number {
  return Math.min(last_seq - purged_seq, newest);
}

async function findingsOf(tx: Transaction, chainId: string, newest: number | undefined): Promise<Finding[]> {
  const rows = await tx<{ seq: number; until_seq: number; finding: FindingKind }[]>`
    select seq, until_seq, finding from audit.findings(${chainId}, ${newest ?? null}) limit ${mostFindings}`;
  const workspaceId = chainId === installationChain ? null : chainId;
  return rows.map(({ seq, until_seq, finding }) =>
    findingOf(finding, workspaceId, { seq, until: until_seq }),
  );
}

async function sealFindings(
  tx: Transaction,
  seal: ReadSeal,
  found: ReadonlyMap<string, Chain>,
  { chainId }: Extent,
): Promise<Finding[]> {
  if (seal.kind === "invalid")
    return [findingOf("seal_invalid", null, { detail: `its key is called ${seal.keyId}` })];
  if (seal.kind === "none") {
    // The counter of their ids remembers that there was one.
    const [made] = await tx<[{ last: number | null }]>`
      select pg_sequence_last_value('audit.seals_seal_id_seq') as last`;
    return made.last === null ? [] : [findingOf("seal_missing", null)];
  }
  const sealed = seal.seal.chains.filter(({ chain_id }) => chainId === undefined || chain_id === chainId);
  const hashes = await tx<{ chain_id: string; hash: string }[]>`
    select e.chain_id, e.hash
    from unnest(${sealed.map(({ chain_id }) => chain_id)}::uuid[], ${sealed.map(({ last_seq }) => last_seq)}::bigint[])
      as s (chain_id, seq)
    join audit.entries e on e.chain_id = s.chain_id and e.seq = s.seq`;
  const hashAt = new Map(hashes.map(({ chain_id, hash }) => [chain_id, hash]));
  return sealed.flatMap((one) => findingsAgainst(one, found.get(one.chain_id), hashAt.get(one.chain_id)));
}
