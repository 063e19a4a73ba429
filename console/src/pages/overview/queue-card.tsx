import type { Queue } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Card, Skeleton } from "../../ui/index.ts";
import { countsOf, type Status, statuses, totalOf } from "./queue.ts";
import "./queue-card.css";

/** Without a queue yet, the same card with its numbers still to come. */
export function QueueCard({ queue }: { queue: Queue | undefined }) {
  const { overview, numbers } = useTexts();
  const counts = queue && countsOf(queue);
  return (
    <Card title={overview.queue} aside={queue && overview.queueTotal(totalOf(queue))}>
      <Shares counts={counts} />
      <dl className="queue-counts">
        {statuses.map((status) => (
          <div
            key={status}
            className={counts?.[status] === 0 ? "none" : ""}
            title={overview.statusHint[status]}
          >
            <dt>
              <span className={`dot ${status}`} aria-hidden="true" />
              {overview.status[status]}
            </dt>
            <dd>{counts ? numbers.format(counts[status]) : <Skeleton width={52} height={30} />}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** How much of the whole each status takes. The numbers beside it say the same in words. */
function Shares({ counts }: { counts: Record<Status, number> | undefined }) {
  const { overview, numbers } = useTexts();
  return (
    <div className="queue-bar" aria-hidden="true">
      {counts &&
        statuses
          .filter((status) => counts[status] > 0)
          .map((status) => (
            <span
              key={status}
              className={status}
              style={{ flexGrow: counts[status] }}
              title={`${overview.status[status]}: ${numbers.format(counts[status])}`}
            />
          ))}
    </div>
  );
}
