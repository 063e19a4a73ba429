import type { PlaceView } from "../shared/index.ts";
import type { QStash } from "./twin.ts";

/** The account's page in the list of places, once it has a schedule. */
export function accountPlace({ store }: Pick<QStash, "store">): PlaceView {
  const { schedules } = store.world;
  const changed = Math.max(
    0,
    ...schedules.map(({ createdAt, lastFiredAt }) => Math.max(createdAt, lastFiredAt ?? 0)),
  );
  return {
    ...{
      provider: "qstash",
      id: "account",
      title: "QStash",
      url: "/qstash/console/",
      items: schedules.length,
    },
    ...(changed > 0 && { changedAt: changed }),
  };
}

export function tellOfSchedules(qstash: QStash): void {
  const place = accountPlace(qstash);
  if (place.items > 0) qstash.context.bus.publish({ type: "place", provider: "qstash", place });
}
