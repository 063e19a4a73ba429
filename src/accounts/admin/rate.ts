import { z } from "zod";
import type { AdminDeps } from "../../workspaces/index.ts";
import type { Who } from "./access.ts";
import { requireAccount } from "./require-account.ts";

export const rateStatus = z.object({
  can_send: z.boolean(),
  wait_seconds: z.int(),
  messages_in_hour: z.int(),
  messages_remaining: z.int(),
  next_available: z.date(),
  enabled: z.boolean(),
});
export type RateStatus = z.output<typeof rateStatus>;

/** What the limiter would say to the account's next message. */
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
