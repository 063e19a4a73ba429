import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { By } from "./deps.ts";

export interface Noted {
  readonly workspaceId: string;
  readonly now: Date;
  readonly by: By;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Records an event for a change of the configuration; `meta.object` names what changed. */
export async function noteChange(
  tx: Transaction,
  change: Noted & { meta: { object: string } },
): Promise<void> {
  await noteEvent(tx, "config_changed", change);
}

/** Records an operator's action, in the same transaction. */
export async function noteEvent(
  sql: Sql | Transaction,
  action: "config_changed" | "channel_changed" | "people_read",
  { workspaceId, now, by, meta }: Noted,
  channelId: string | null = null,
): Promise<void> {
  const actor = by.actor ? JSON.stringify({ ...by.actor, address: by.address }) : null;
  await sql`
    select workspaces.note_change(${workspaceId}, ${channelId}, ${action}, ${by.operator}, ${by.reason ?? null},
      ${JSON.stringify(meta)}::text::jsonb, ${now}, ${actor}::text::jsonb)`;
}
