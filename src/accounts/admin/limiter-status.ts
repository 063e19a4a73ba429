import { z } from "zod";
import type { AdminDeps } from "../../workspaces/index.ts";
import { requireAccount, type Who } from "./access.ts";

export const rateStatus = z.object({
  can_send: z.boolean(),
  wait_seconds: z.int(),
  messages_in_hour: z.int(),
  messages_remaining: z.int(),
  next_available: z.date(),
  enabled: z.boolean(),
});
type RateStatus = z.output<typeof rateStatus>;

/** Whether the limiter would let the account's next message through. */
export async function readRate(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  accountId: string,
  who: Who,
): Promise<RateStatus> {
  await requireAccount(sql, workspaceId, accountId, who);
  const [status] =
    await sql`select * from accounts.limiter_status(${workspaceId}, ${accountId}, ${clock.now()})`;
  return rateStatus.parse(status);
}
