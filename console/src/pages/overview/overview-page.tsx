import { type Overview, type Session, Unreachable, useOverview, type Workspace } from "../../api/index.ts";
import { locale } from "../../preferences/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { clockTime } from "../../time/index.ts";
import { Notice, Page, wordsOf } from "../../ui/index.ts";
import { ActivityCard } from "./activity-card.tsx";
import { AttentionCard } from "./attention/attention-card.tsx";
import { ChannelsCard } from "./channels-card.tsx";
import { EventsCard } from "./events-card.tsx";
import { FirstPost } from "./first-post.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { OverviewSkeleton } from "./overview-skeleton.tsx";
import { PostsCard } from "./posts-card.tsx";
import { totalOf } from "./queue.ts";
import { QueueCard } from "./queue-card.tsx";
import { TodayCard } from "./today-card.tsx";
import "./overview.css";

export function OverviewPage({ session, workspace }: WorkspacePageProps) {
  const texts = useTexts();
  const language = locale.use();
  const { data, error, dataUpdatedAt } = useOverview(workspace.id);
  const asOf = clockTime(new Date(dataUpdatedAt), language);
  return (
    <Page title={texts.overview.title} aside={data && !error && <Live asOf={asOf} />}>
      {error && (
        <Notice
          tone="warn"
          title={error instanceof Unreachable ? texts.overview.lost : wordsOf(error, texts)}
        >
          {data && texts.overview.lostSince(asOf)}
        </Notice>
      )}
      {data ? <Panels data={data} session={session} workspace={workspace} /> : <OverviewSkeleton />}
    </Page>
  );
}

function Panels({ data, session, workspace }: { data: Overview; session: Session; workspace: Workspace }) {
  // Setting things up leaves events too, but none of a post.
  const isNew = totalOf(data.queue) === 0 && data.events.every((event) => event.message_id === null);
  return (
    <>
      {isNew && session.playground && <FirstPost />}
      {isNew && !session.playground && <FirstSteps workspace={workspace} channels={data.channels.total} />}
      {!isNew && <AttentionCard workspace={workspace} />}
      <div className="overview-halves">
        <PostsCard workspaceId={workspace.id} />
        <TodayCard workspaceId={workspace.id} />
      </div>
      <QueueCard queue={data.queue} />
      <div className="overview-pair">
        <ActivityCard minutes={data.activity} />
        <ChannelsCard channels={data.channels} />
      </div>
      {(!isNew || data.events.length > 0) && <EventsCard events={data.events} />}
    </>
  );
}

function Live({ asOf }: { asOf: string }) {
  const { overview } = useTexts();
  return (
    <p className="live" title={overview.asOf(asOf)}>
      <span className="live-dot" aria-hidden="true" />
      <span>
        {overview.live} · <time>{asOf}</time>
      </span>
    </p>
  );
}
