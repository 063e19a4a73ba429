import type { Sql, Transaction } from "../kernel/db/index.ts";

/** The chain of the installation itself. */
export const installationChain = "00000000-0000-0000-0000-000000000000";

/** The hash before the first entry of a chain. */
export const noHash = "0".repeat(64);

/** The ends of a chain: the last entry that retention removed, and the newest one. */
export interface Chain {
  readonly chain_id: string;
  readonly purged_seq: number;
  readonly purged_hash: string;
  readonly last_seq: number;
  readonly last_hash: string;
}

/** All chains, or those of one workspace. */
export function chainsOf(sql: Sql | Transaction, only?: string | undefined): Promise<Chain[]> {
  return sql<Chain[]>`
    select chain_id, purged_seq, purged_hash, last_seq, last_hash from audit.chains
    where ${only ?? null}::uuid is null or chain_id = ${only ?? null}
    order by chain_id`;
}

/** The same by id, also of chains whose own row is gone. */
export async function chainIds(sql: Sql | Transaction, only?: string | undefined): Promise<string[]> {
  if (only !== undefined) return [only];
  const rows = await sql<
    { chain_id: string }[]
  >`select chain_id from audit.known_chains() as chain_id order by 1`;
  return rows.map(({ chain_id }) => chain_id);
}
