/** Resolves what a person types for a channel, a delivery or a post to an id in the database. */
import { systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { only, wholeId } from "../../terminal/index.ts";
import type { AdminDeps } from "../../workspaces/index.ts";
import { type Channel, channelsCalled } from "../admin/index.ts";
import { idColumns } from "../id-columns.ts";

export function deliveryOf(sql: Sql, workspaceId: string, typed: string): Promise<string> {
  return wholeId(sql, workspaceId, idColumns.delivery, typed);
}

export function messageOf(sql: Sql, workspaceId: string, typed: string): Promise<string> {
  return wholeId(sql, workspaceId, idColumns.message, typed);
}

/** What a person may type for a channel. */
export const channelNaming = "its id, the beginning of it, its target, its exact title, or platform/title";

export async function channelOf(sql: Sql, workspaceId: string, typed: string): Promise<string> {
  return (await channelCalled({ sql, clock: systemClock }, workspaceId, typed)).channel_id;
}

export async function channelCalled(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  typed: string,
): Promise<Channel> {
  return only("channel", typed, await channelsCalled(sql, workspaceId, typed, clock.now()), channelName);
}

export function channelName({
  channel_id,
  title,
  platform,
  target_id,
}: Pick<Channel, "channel_id" | "title" | "platform" | "target_id">): string {
  return `${channel_id}  ${title ?? "(no title)"} (${platform} ${target_id})`;
}
