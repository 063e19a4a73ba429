import { z } from "zod";
import type { AdminDeps } from "../../workspaces/index.ts";
import { requireAccount, type Who } from "../admin/access.ts";
import { accountsProblem } from "../admin/problems.ts";
import { chatRow } from "../joins/join-next.ts";
import type { UseAccount } from "../use-account.ts";

export const loadedChats = z.object({
  found: z.int().describe("Groups, supergroups and channels the account can write to"),
  added: z.int().describe("How many of them were not linked to it before"),
  lost: z.int().describe("Chats it can no longer write to; nothing more is published there"),
});
type LoadedChats = z.output<typeof loadedChats>;

/** Asks Telegram which chats the account can write to, and links them. */
export async function loadChats(
  { sql, clock, use }: AdminDeps & { readonly use: UseAccount },
  workspaceId: string,
  accountId: string,
  who: Who,
): Promise<LoadedChats> {
  await requireAccount(sql, workspaceId, accountId, who);
  const answer = await use({ workspaceId, accountId }, (client) => client.chats());
  if (!answer.ok) throw accountsProblem("account_refused", { detail: answer.error.message });
  const [report] = await sql<[LoadedChats]>`
    select chats_found as found, chats_added as added, chats_lost as lost from accounts.keep_chats(${workspaceId}, ${accountId},
      ${JSON.stringify(answer.value.map(chatRow))}::text::jsonb, ${clock.now()})`;
  return report;
}
