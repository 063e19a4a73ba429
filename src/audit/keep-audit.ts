import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import type { Verdict } from "./findings.ts";
import { noteAudit } from "./note.ts";
import { sealAudit } from "./seal.ts";
import { verifyAudit } from "./verify.ts";

export interface KeepDeps {
  readonly sql: Sql;
  readonly vault: Vault;
  readonly now: Date;
  readonly retentionDays: number;
}

interface Purged {
  readonly chain_id: string;
  readonly through_seq: number;
  readonly hash: string;
  readonly entries: number;
}

/**
 * The work of a night: verifies all chains, removes what is older than the retention, and seals the ends. While there are findings
 * nothing is removed or sealed, so that what they show stays until somebody has looked (`molva audit seal`).
 */
export async function keepAudit({ sql, vault, now, retentionDays }: KeepDeps): Promise<Verdict> {
  const { acceptedNames, ...verdict } = await verifyAudit(sql, { vault });
  if (!verdict.ok) return verdict;
  // In one transaction: a beginning that is removed without a seal that says so would be a finding.
  await sql.begin(async (tx) => {
    const purged = await tx<Purged[]>`
      select chain_id, through_seq, hash, entries from audit.purge(${retentionDays}, ${now})`;
    if (purged.length > 0)
      await noteAudit(
        tx,
        {
          workspaceId: null,
          actor: { kind: "system", id: null },
          action: "audit.purged",
          result: "ok",
          meta: { retention_days: retentionDays, chains: purged },
        },
        now,
      );
    await sealAudit(tx, { vault, now }, acceptedNames);
  });
  return verdict;
}
