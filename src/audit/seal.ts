import { z } from "zod";
import type { Vault } from "../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../kernel/db/index.ts";
import { type Chain, chainsOf, installationChain } from "./chains.ts";
import { type Finding, findingOf, nameOf } from "./findings.ts";
import { type AuditActor, noteAudit } from "./note.ts";

const purpose = "audit seal";

const sealBody = z.object({
  sealed_at: z.iso.datetime(),
  chains: z.array(
    z.object({
      chain_id: z.uuid(),
      purged_seq: z.int(),
      purged_hash: z.string(),
      last_seq: z.int(),
      last_hash: z.string(),
    }),
  ),
  accepted: z.array(z.string()),
});
export type Seal = z.infer<typeof sealBody>;

export interface SealDeps {
  readonly vault: Vault;
  readonly now: Date;
}

/** Signs the ends of all chains with a key that is not in the database: who owns the database alone cannot shorten or rewrite them. */
export async function sealAudit(
  sql: Sql | Transaction,
  { vault, now }: SealDeps,
  accepted: readonly string[] = [],
): Promise<void> {
  const seal: Seal = { sealed_at: now.toISOString(), chains: await chainsOf(sql), accepted: [...accepted] };
  const body = JSON.stringify(seal);
  await sql`select audit.keep_seal(${body}, ${vault.keyIds[0]}, ${vault.sign(body, purpose)}, ${now})`;
}

/** After somebody has looked at the findings: what was accepted is not reported again, and is noted with who accepted it and why. */
export async function acceptFindings(
  sql: Sql,
  deps: SealDeps,
  { findings, accepted }: { readonly findings: readonly Finding[]; readonly accepted: readonly string[] },
  by: { readonly actor: AuditActor; readonly reason: string; readonly operator: string },
): Promise<void> {
  const names = findings.map(nameOf);
  await sql.begin(async (tx) => {
    const meta = { operator: by.operator, reason: by.reason, findings: names };
    await noteAudit(
      tx,
      { workspaceId: null, actor: by.actor, action: "audit.accepted", result: "ok", meta },
      deps.now,
    );
    await sealAudit(tx, deps, [...accepted, ...names]);
  });
}

/** Seals are made every night; two hours more are for a slow one. */
const sealedEveryMs = 26 * 60 * 60 * 1000;

/** What to tell people when the newest seal is older than the last night. That is no finding: the server may have been off. */
export function sealAgeNotice(sealedAt: string | null, now: Date): string | undefined {
  if (sealedAt === null)
    return "No seal yet: a running server makes one every night, `molva audit seal` makes one now.";
  if (now.getTime() - new Date(sealedAt).getTime() <= sealedEveryMs) return undefined;
  return (
    "The newest seal is older than the last night. If no server was running then, `molva audit seal` makes one now. " +
    "Otherwise newer seals may have been removed, and entries with them: compare with an export that is kept elsewhere."
  );
}

export type ReadSeal =
  | { readonly kind: "valid"; readonly seal: Seal }
  | { readonly kind: "invalid"; readonly keyId: string }
  | { readonly kind: "none" };

/** The newest seal, if one of the keys has signed it. */
export async function newestSeal(sql: Sql | Transaction, vault: Vault): Promise<ReadSeal> {
  const [row] = await sql<{ body: string; key_id: string; signature: string }[]>`
    select body, key_id, signature from audit.seals order by seal_id desc limit 1`;
  if (!row) return { kind: "none" };
  if (!vault.isSigned(row.body, row.signature, purpose)) return { kind: "invalid", keyId: row.key_id };
  return { kind: "valid", seal: sealBody.parse(JSON.parse(row.body)) };
}

/** Where a chain is not the one that was sealed. `hashAt` is the hash of the entry at the sealed end, if it is there. */
export function findingsAgainst(
  sealed: Seal["chains"][number],
  found: Chain | undefined,
  hashAt: string | undefined,
): Finding[] {
  const workspaceId = sealed.chain_id === installationChain ? null : sealed.chain_id;
  const missing = (seq: number, until: number, detail: string) =>
    until >= seq ? [findingOf("missing", workspaceId, { seq, until, detail })] : [];
  if (!found) return missing(sealed.purged_seq + 1, sealed.last_seq, "the seal knows them");
  const beginning = missing(sealed.purged_seq + 1, found.purged_seq, "removed, but not by the retention");
  const end = missing(found.last_seq + 1, sealed.last_seq, "the seal knows them");
  const anchorMoved =
    found.purged_seq < sealed.purged_seq ||
    (found.purged_seq === sealed.purged_seq && found.purged_hash !== sealed.purged_hash);
  const ending = sealed.last_seq === found.purged_seq ? found.purged_hash : hashAt;
  const rewritten = anchorMoved || (ending !== undefined && ending !== sealed.last_hash);
  return [
    ...beginning,
    ...(rewritten ? [findingOf("rewritten", workspaceId, { seq: sealed.last_seq })] : []),
    ...end,
  ];
}
