import { useTexts } from "../../texts/index.ts";
import { Card, Skeleton } from "../../ui/index.ts";
import { QueueCard } from "./queue-card.tsx";

/** The same cards in the same sizes, so that nothing jumps when the numbers arrive. */
export function OverviewSkeleton() {
  const { overview } = useTexts();
  return (
    <>
      <QueueCard queue={undefined} />
      <div className="overview-pair">
        <Card title={overview.activity} aside={<Skeleton width={200} height={20} />}>
          <Skeleton height={195} />
        </Card>
        <Card title={overview.channels} aside={<Skeleton width={72} height={20} />}>
          <Skeleton height={195} />
        </Card>
      </div>
      <Card title={overview.latest}>
        <div className="events-placeholder">
          {["88%", "72%", "80%", "64%", "76%", "70%"].map((width) => (
            <Skeleton key={width} width={width} height={22} />
          ))}
        </div>
      </Card>
    </>
  );
}
