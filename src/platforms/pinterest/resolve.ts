import type { CheckContext, Resolved } from "../contract.ts";
import { boardAmong, boardsOf } from "./boards.ts";
import type { Connection } from "./client.ts";
import { boardNamed } from "./target.ts";

/** Resolving a board's link is optional, so its timeout is shorter than that of a post. */
const patienceMs = 5_000;

/** The id of a board that is known by its link; undefined if the id is known already. */
export async function resolve({
  settings,
  context,
}: Connection<CheckContext>): Promise<Resolved | undefined> {
  const named = boardNamed(context.channel.targetId);
  if ("id" in named) return undefined;
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs ?? patienceMs, patienceMs);
  const boards = await boardsOf({ settings: { ...settings, requestTimeoutMs }, context });
  if (boards.kind !== "ok") return { kind: "unavailable" };
  const found = boardAmong(boards.result, named);
  if (!found) return { kind: "absent" };
  const name = `@${named.owner}/${named.name}`;
  return { kind: "found", name, targetId: found.id, ...(found.name && { title: found.name }) };
}
