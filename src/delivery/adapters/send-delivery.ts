import { problem } from "../../http/index.ts";
import type { PlatformName } from "../../platforms/index.ts";
import { type CarryDeps, carryToOutcome } from "../dispatch/carry.ts";
import type { CarryingDeps } from "../dispatch/carry-deps.ts";
import type { StartedDelivery } from "../dispatch/started-delivery.ts";
import { type AdapterAnswer, answerOf } from "./answer.ts";
import { callOnce } from "./calls.ts";

export interface DeliveryInHand {
  readonly workspaceId: string;
  readonly platform: PlatformName;
  readonly deliveryId: string;
  readonly claimToken: string;
}

/**
 * Sends a delivery that its caller has started, exactly as the dispatcher would: media, series, an earlier attempt with an
 * unknown outcome. The caller settles it. A claim token can be used for one send.
 */
export async function sendDelivery(
  { workspaceId, platform, deliveryId, claimToken }: DeliveryInHand,
  deps: CarryingDeps,
  carrying: CarryDeps,
): Promise<AdapterAnswer> {
  const [delivery] = await deps.sql<StartedDelivery[]>`
    select * from delivery.delivery_in_hand(${workspaceId}, ${deliveryId}, ${claimToken})`;
  if (!delivery)
    throw problem("conflict", { detail: "The delivery is not being sent under this claim token." });
  if (delivery.platform !== platform)
    throw problem("conflict", { detail: `The delivery is for ${delivery.platform}.` });
  return callOnce(
    { workspaceId, key: claimToken, channelId: delivery.channel_id, bodyHash: null },
    { ...deps, leaseSeconds: deps.sendingLeaseSeconds },
    async () => answerOf(await carryToOutcome(delivery, carrying)),
  );
}
