import { z } from "zod";
import type { Credential, Place, Places, RefreshContext } from "../contract.ts";
import { readableItems } from "../if-readable.ts";
import { withToken } from "../token-credential.ts";
import { call, type VkSettings } from "./client.ts";
import { keyOf } from "./key.ts";
import { type Group, groupShape } from "./wall.ts";

const most = 1_000;
const groupsShape = z.object({ items: readableItems(groupShape) });

/** The communities that a key may post for: its own, or those that its owner edits. */
export async function places(
  credential: Credential,
  context: RefreshContext,
  settings: VkSettings,
): Promise<Places> {
  const connection = { settings, context: withToken({ ...context, credential }) };
  const key = await keyOf(connection);
  if (key.kind !== "ok") return { kind: "unavailable", error: key.error };
  if (key.result.kind === "community") return { kind: "listed", places: [placeOf(key.result.group)] };
  const params = { extended: 1, filter: "editor", fields: "members_count", count: most };
  const groups = await call("groups.get", params, groupsShape, connection);
  return groups.kind === "ok"
    ? { kind: "listed", places: groups.result.items.map(placeOf) }
    : { kind: "unavailable", error: groups.error };
}

const placeOf = ({ id, name, members_count }: Group): Place => ({
  targetId: String(id),
  title: name ?? `club${id}`,
  ...(members_count !== undefined && { members: members_count }),
});
