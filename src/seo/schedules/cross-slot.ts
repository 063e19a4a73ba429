/** Adapts a published post to the other connections of its schedule, one after another, while there are tokens. */

import { Problem } from "../../http/index.ts";
import { TooFewTokens } from "../orders/begin-work.ts";
import { orderCrossPost } from "../posts/order-cross-post.ts";
import { SeoProblem } from "../problems.ts";
import { type Autopublication, lockUnended, requestKeyOf, waitForDelivery } from "./autopublications.ts";
import type { BeginDeps } from "./begin-slot.ts";
import { concludeCross } from "./conclude-cross.ts";
import { mostBroken } from "./ends.ts";
import { readScheduledPlace } from "./scheduled-place.ts";

export async function crossSlot(
  deps: BeginDeps,
  slot: Autopublication,
  perform: (runId: string) => Promise<void>,
): Promise<void> {
  const place = await readScheduledPlace(deps.sql, slot);
  if (!place || slot.runId === null) return;
  const whose = { workspaceId: slot.workspaceId, userId: slot.userId };
  for (const connectionId of place.crossTo) {
    const requestKey = requestKeyOf(slot, connectionId);
    const wanted = { connectionId, origin: "schedule", inHand: true, requestKey } as const;
    let runId: string;
    try {
      runId = (await orderCrossPost(deps, deps.kinds.crossPost, whose, slot.runId, wanted)).run_id;
    } catch (error) {
      if (error instanceof TooFewTokens) break;
      // This one cannot be used, or we have tried often enough; the report says so.
      if (error instanceof SeoProblem || error instanceof Problem || slot.tries >= mostBroken) continue;
      throw error;
    }
    await perform(runId);
  }
  await deps.sql.begin(async (tx) => {
    const unended = await lockUnended(tx, slot);
    if (unended?.token !== slot.token) return;
    await waitForDelivery(tx, unended);
    await concludeCross(deps, tx, { ...unended, state: "publishing" });
  });
}
