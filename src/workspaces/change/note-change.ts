import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { By } from "./deps.ts";

export interface Noted {
  readonly workspaceId: string;
  readonly now: Date;
  readonly by: By;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The event of a change to the configuration; `meta.object` says to what. */
export async function noteChange(
  tx: Transaction,
  change: Noted & { meta: { object: string } },
): Promise<void> {
  await noteEvent(tx, "config_changed", change);
}

/** An event of what an operator did, in the transaction of the deed. */
export async function noteEvent(
  sql: Sql | Transaction,
  action: "config_changed" | "channel_changed" | "people_read",
  { workspaceId, now, by, meta }: Noted,
  channelId: string | null = null,
): Promise<void> {
  await sql`
    select workspaces.note_change(${workspaceId}, ${channelId}, ${action}, ${by.operator}, ${by.reason ?? null},
      ${JSON.stringify(meta)}::text::jsonb, ${now})`;
}
