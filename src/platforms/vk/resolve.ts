import type { CheckContext, Resolved } from "../contract.ts";
import type { WithToken } from "../token-credential.ts";
import type { Connection } from "./client.ts";
import { communityOf } from "./target.ts";
import { groupNamed } from "./wall.ts";

/** Resolving a name is optional, so its timeout is shorter than that of a post. */
const patienceMs = 5_000;

/** The id of a community that is known by its short name; undefined if the id is known already. */
export async function resolve({
  settings,
  context,
}: Connection<WithToken<CheckContext>>): Promise<Resolved | undefined> {
  const community = communityOf(context.channel.targetId);
  if ("id" in community) return undefined;
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs ?? patienceMs, patienceMs);
  const reply = await groupNamed(community.name, { settings: { ...settings, requestTimeoutMs }, context });
  if (reply.kind === "ok") {
    const { id, name } = reply.result;
    return { kind: "found", name: `@${community.name}`, targetId: String(id), ...(name && { title: name }) };
  }
  return reply.error.code === "channel_unavailable" ? { kind: "absent" } : { kind: "unavailable" };
}
