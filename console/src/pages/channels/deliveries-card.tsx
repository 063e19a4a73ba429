import { useList } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import { Card } from "../../ui/index.ts";
import { DeliveryLines } from "./delivery-lines.tsx";
import { delivery } from "./shapes.ts";
import { useWords } from "./use-words.ts";

/** How the last deliveries ended. */
export function DeliveriesCard({ workspaceId, channelId }: { workspaceId: string; channelId: string }) {
  const texts = useWords();
  const ended = useList(
    "/deliveries",
    {
      workspace_id: workspaceId,
      channel_id: channelId,
      status: "sent,deduped,failed_permanent,dead",
    },
    delivery,
    { topic: "deliveries", limit: 8 },
  );
  return (
    <Card
      title={texts.lastDeliveries}
      aside={<Link href={`/deliveries?channel=${channelId}`}>{texts.allPosts}</Link>}
    >
      <DeliveryLines list={ended} empty={texts.noDeliveries} />
    </Card>
  );
}
