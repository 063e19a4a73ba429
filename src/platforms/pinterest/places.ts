import type { Credential, Places, RefreshContext } from "../contract.ts";
import { boardsOf } from "./boards.ts";
import { withoutDoubt } from "./classify.ts";
import type { PinterestSettings } from "./client.ts";

/** The boards of the account. */
export async function places(
  credential: Credential,
  context: RefreshContext,
  settings: PinterestSettings,
): Promise<Places> {
  const boards = await boardsOf({ settings, context: { ...context, credential } });
  if (boards.kind !== "ok") return { kind: "unavailable", error: withoutDoubt(boards.error) };
  return {
    kind: "listed",
    places: boards.result.map(({ id, name, follower_count }) => ({
      targetId: id,
      title: name ?? id,
      ...(follower_count !== undefined && { members: follower_count }),
    })),
  };
}
