import type { Sql } from "../../kernel/db/index.ts";

/** How long a process may hold a delivery before it is considered dead. */
export interface LeaseSettings {
  readonly sendingLeaseSeconds: number;
  readonly claimedLeaseSeconds: number;
}

export interface RecoveredLeases {
  readonly sending: number;
  readonly claimed: number;
}

/** Releases what dead processes left claimed or sending. Returns the number, of one workspace if it is given. */
export async function recoverLeases(
  sql: Sql,
  { sendingLeaseSeconds, claimedLeaseSeconds }: LeaseSettings,
  now: Date,
  workspaceId?: string,
): Promise<RecoveredLeases> {
  const rows = await sql<{ workspace_id: string; was: "sending" | "claimed" }[]>`
    select workspace_id, was from delivery.recover_leases(
      make_interval(secs => ${sendingLeaseSeconds}), make_interval(secs => ${claimedLeaseSeconds}), ${now})`;
  if (rows.length > 0) await sql`select pg_notify('molva_deliveries', '')`;
  const counted = rows.filter((row) => !workspaceId || row.workspace_id === workspaceId);
  const sending = counted.filter(({ was }) => was === "sending").length;
  return { sending, claimed: counted.length - sending };
}
