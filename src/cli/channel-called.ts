import { type AdminDeps, type Channel, channelsCalled } from "../delivery/index.ts";
import { exitCodes, UserError } from "./failure.ts";

/** The one channel a person means by an id, the beginning of one, a target or a title; several are listed to choose from. */
export async function channelCalled(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  typed: string,
): Promise<Channel> {
  const found = await channelsCalled(sql, workspaceId, typed, clock.now());
  const [first, ...others] = found;
  if (!first) throw new UserError(`There is no channel ${typed} in this workspace.`);
  if (others.length === 0) return first;
  throw new UserError(
    [`More than one channel answers to ${typed}; name one of them:`, ...found.map(channelName)].join("\n  "),
    exitCodes.usage,
  );
}

export function channelName({
  channel_id,
  title,
  platform,
  target_id,
}: Pick<Channel, "channel_id" | "title" | "platform" | "target_id">): string {
  return `${channel_id}  ${title ?? "(no title)"} (${platform} ${target_id})`;
}
