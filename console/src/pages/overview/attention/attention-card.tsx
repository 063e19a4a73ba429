import { CheckCheck, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { type Attention, useAttention, type Workspace } from "../../../api/index.ts";
import { locale } from "../../../preferences/index.ts";
import { usePageTexts } from "../../../texts/index.ts";
import { clockTime, dayOf } from "../../../time/index.ts";
import { Button, Card, Fault, Skeleton, toast } from "../../../ui/index.ts";
import { FailureRow } from "./failure-row.tsx";
import { useSeen } from "./seen.ts";
import { SourceRow } from "./source-row.tsx";
import { StoppedRow } from "./stopped-row.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { HeldRow, StuckRow } from "./waiting-rows.tsx";
import "./attention.css";

/** What failed since the person last looked and what stands still, each with what helps. */
export function AttentionCard({ workspace }: { workspace: Workspace }) {
  const texts = usePageTexts({ ru, en });
  const language = locale.use();
  const [seen, markSeen] = useSeen(workspace.id);
  const { data, error, refetch } = useAttention(workspace.id, seen);
  const mark = () => {
    markSeen(new Date().toISOString());
    toast(texts.seenDone, () => markSeen(seen));
  };
  const time = data && momentOf(new Date(data.since), language);
  const isCalm = data !== undefined && countOf(data) === 0;
  return (
    <Card title={isCalm ? texts.calm : texts.title} aside={time && texts.since(time)}>
      {error && !data && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={72} />}
      {isCalm && (
        <p className="attention-calm">
          <CircleCheck aria-hidden="true" />
          {texts.calmHint}
        </p>
      )}
      {data && !isCalm && <Rows data={data} workspace={workspace} />}
      {data && data.failures.length > 0 && (
        <div className="attention-foot">
          {data.truncated.length > 0 && <p>{texts.truncated}</p>}
          <Button look="quiet" icon={<CheckCheck aria-hidden="true" />} onClick={mark}>
            {texts.seen}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Rows({ data, workspace }: { data: Attention; workspace: Workspace }): ReactNode {
  return (
    <ul className="attention-rows">
      {data.stuck.count > 0 && <StuckRow stuck={data.stuck} workspace={workspace} />}
      {data.failures.map((failure) => (
        <FailureRow
          key={`${failure.code} ${JSON.stringify(failure.cause)}`}
          failure={failure}
          since={data.since}
          workspace={workspace}
        />
      ))}
      {data.channels.map((stopped) => (
        <StoppedRow key={stopped.channel.id} stopped={stopped} workspace={workspace} />
      ))}
      {data.sources.map((source) => (
        <SourceRow key={source.source_id} source={source} />
      ))}
      {data.held.count > 0 && <HeldRow held={data.held} />}
    </ul>
  );
}

function countOf({ failures, channels, sources, stuck, held }: Attention): number {
  return failures.length + channels.length + sources.length + stuck.count + held.count;
}

function momentOf(at: Date, language: "ru" | "en"): string {
  const isToday = at.toDateString() === new Date().toDateString();
  const time = clockTime(at, language, false);
  return isToday ? time : `${dayOf(at, language)}, ${time}`;
}
