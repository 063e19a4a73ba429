import type { Transaction } from "../../kernel/db/index.ts";

/** What a channel may hold on to. */
export type HeldOnTo =
  | { readonly template_ref: string }
  | { readonly platform: string; readonly auth_ref: string };

const named = 3;

/** The channels that keep something from being deleted, in words: `2 channels (Новости, -100200)`. */
export async function channelsInTheWay(
  tx: Transaction,
  workspaceId: string,
  thing: HeldOnTo,
): Promise<string> {
  const holds =
    "template_ref" in thing
      ? tx`c.template_ref = ${thing.template_ref}`
      : tx`c.platform = ${thing.platform} and coalesce(a.auth_ref, c.auth_ref) = ${thing.auth_ref}`;
  const rows = await tx<{ name: string }[]>`
    select coalesce(c.title, c.target_id) as name from delivery.channels c
    left join delivery.channel_auth a using (workspace_id, channel_id)
    where c.workspace_id = ${workspaceId} and ${holds}
    order by c.channel_id`;
  const names = rows.slice(0, named).map(({ name }) => name);
  const list = [...names, ...(rows.length > named ? ["…"] : [])].join(", ");
  return `${rows.length} ${rows.length === 1 ? "channel" : "channels"} (${list})`;
}
