import { useList } from "../../api/index.ts";
import { Card, Facts, Moment, ZonedTime } from "../../ui/index.ts";
import { DeliveryLines } from "./delivery-lines.tsx";
import { type BusyChannel, delivery } from "./shapes.ts";
import { useWords } from "./use-words.ts";
import { useZone } from "./use-zone.ts";

/** What waits for the channel, what keeps it back, and which posts come next. */
export function WaitingCard({ workspaceId, channel }: { workspaceId: string; channel: BusyChannel }) {
  const texts = useWords();
  const zone = useZone(workspaceId, channel.timezone);
  const waiting = useList(
    "/deliveries",
    {
      workspace_id: workspaceId,
      channel_id: channel.channel_id,
      status: "queued,claimed,sending,retry",
    },
    delivery,
    { topic: "deliveries", limit: 5 },
  );
  const { activity } = channel;
  return (
    <Card title={texts.waitingCard} aside={activity && texts.waiting(activity.waiting)}>
      <div className="form">
        {activity && (
          <Facts
            facts={[
              [texts.keptBack, activity.block && (texts.block[activity.block] ?? activity.block)],
              [
                texts.nextSlot,
                activity.next_due_at && (
                  <>
                    <Moment at={activity.next_due_at} /> (<ZonedTime at={activity.next_due_at} zone={zone} />)
                  </>
                ),
              ],
              [texts.heldBack, activity.held > 0 ? texts.held(activity.held) : null],
            ]}
          />
        )}
        <DeliveryLines list={waiting} empty={texts.nothingWaitsHint} />
      </div>
    </Card>
  );
}
