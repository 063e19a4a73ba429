import type { Sql, Transaction } from "../kernel/db/index.ts";

/** Who did it: an id, never a name that can be chosen. */
export interface AuditActor {
  readonly kind: "operator" | "token" | "command" | "system" | "anonymous";
  /** Of a command: the numeric account and the machine, such as `uid:0@db1`. */
  readonly id: string | null;
  /** The name of a command's account, which can be chosen: a detail in `meta`. */
  readonly account?: string | undefined;
}

export interface AuditEntry {
  /** null: the installation itself. */
  readonly workspaceId: string | null;
  readonly actor: AuditActor;
  /** Such as "signin.succeeded", "token.created". */
  readonly action: string;
  readonly subject?: { readonly kind: string; readonly id: string } | undefined;
  readonly result: "ok" | "refused";
  /** The caller's network address. */
  readonly address?: string | null | undefined;
  /** Without secrets: it can never be removed again. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Writes an entry of the audit, in the transaction of what it tells of. It gets its place in the chain at the commit, so a long
 * transaction keeps no other waiting.
 */
export async function noteAudit(sql: Sql | Transaction, entry: AuditEntry, now: Date): Promise<void> {
  const { workspaceId, actor, action, subject, result, address, meta = {} } = entry;
  await sql`
    select audit.note(${workspaceId}, ${actor.kind}, ${actor.id}, ${action}, ${subject?.kind ?? null}, ${subject?.id ?? null},
      ${result}, ${address ?? null}, ${JSON.stringify({ ...(actor.account !== undefined && { account: actor.account }), ...meta })}::text::jsonb, ${now})`;
}
