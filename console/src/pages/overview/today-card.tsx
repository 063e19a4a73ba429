import { usePlanUntil } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { useNow } from "../../time/index.ts";
import { Card, Fault, Platform, Skeleton, ZonedTime } from "../../ui/index.ts";
import { en } from "./attention/texts.en.ts";
import { ru } from "./attention/texts.ru.ts";
import "./today-card.css";

const shown = 6;

/** The next of what goes out today; the rest is in the plan. */
export function TodayCard({ workspaceId }: { workspaceId: string }) {
  const texts = usePageTexts({ ru, en });
  const { data, error, refetch } = usePlanUntil(workspaceId, endOfDay(useNow()));
  return (
    <Card
      title={texts.today}
      aside={
        <>
          {data && data.counts.items > 0 && `${texts.todayCount(data.counts.items)} · `}
          <Link href="/plan">{texts.plan}</Link>
        </>
      }
    >
      {error && !data && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={120} />}
      {data?.items.length === 0 && <p className="today-nothing">{texts.todayNothing}</p>}
      <ol className="today">
        {data?.items.slice(0, shown).map((entry) => (
          <li key={`${entry.kind} ${entry.id}`}>
            <ZonedTime at={entry.at} zone={entry.zone} />
            <span className="today-title">{entry.title || texts.textless}</span>
            {entry.channel && <Platform name={entry.channel.platform} />}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** By the browser's clock, as the person's own day. The same text all day, so that it is not asked anew at every tick. */
function endOfDay(now: Date): string {
  const end = new Date(now);
  end.setHours(24, 0, 0, 0);
  return end.toISOString();
}
