import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { enqueue } from "../testing/builders.ts";
import type { RetentionDeps } from "./run-retention.ts";

export const day = 24 * 3_600_000;

/** The dependencies of retention, with batches so small that every test needs several. Objects are stored in `folder`. */
export function retentionDeps(sql: Sql, folder: string): RetentionDeps & { readonly clock: ManualClock } {
  const clock = manualClock();
  const storage = createStorage({ folder, urlBase: "http://x", secret: "s", clock });
  const settings = { rowsPerBatch: 3, objectsPerBatch: 2, lockTries: 2, betweenLockTriesMs: 10 };
  return { sql, storage, clock, log: silentLog, settings };
}

/** How a delivery gets into each status. */
const ways = {
  queued: [],
  claimed: ["claimed"],
  sending: ["claimed", "sending"],
  retry: ["claimed", "sending", "retry"],
  sent: ["claimed", "sending", "sent"],
  failed_permanent: ["failed_permanent"],
  dead: ["claimed", "sending", "dead"],
} as const;

export type ReachableStatus = keyof typeof ways;
export const statuses: readonly ReachableStatus[] = [
  "queued",
  "claimed",
  "sending",
  "retry",
  "sent",
  "failed_permanent",
  "dead",
];

/** A new post to every channel of the workspace, its deliveries in this status since `at`. Returns the message's id. */
export async function aPost(
  sql: Sql,
  workspaceId: string,
  { text, status = "sent", at }: { text: string; status?: ReachableStatus; at: Date },
): Promise<string> {
  const { message_id } = await enqueue(sql, workspaceId, text, { now: at });
  for (const step of ways[status]) {
    const taken = step === "claimed" || step === "sending";
    await sql`
      update delivery.deliveries
      set status = ${step}, updated_at = ${at}, claim_token = ${taken ? "test" : null},
        sent_at = ${step === "sent" ? at : null}, next_retry_at = ${step === "retry" ? at : null}
      where workspace_id = ${workspaceId} and message_id = ${message_id}`;
  }
  return message_id;
}
