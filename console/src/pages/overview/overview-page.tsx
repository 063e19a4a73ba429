import { type Overview, type Session, Unreachable, useOverview } from "../../api/index.ts";
import { locale } from "../../preferences/index.ts";
import type { PageProps } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { clockTime } from "../../time/index.ts";
import { CopyLine, Notice, Page, wordsOf } from "../../ui/index.ts";
import { ActivityCard } from "./activity-card.tsx";
import { ChannelsCard } from "./channels-card.tsx";
import { EventsCard } from "./events-card.tsx";
import { FirstPost } from "./first-post.tsx";
import { OverviewSkeleton } from "./overview-skeleton.tsx";
import { totalOf } from "./queue.ts";
import { QueueCard } from "./queue-card.tsx";
import { RecoverCard } from "./recover-card.tsx";
import "./overview.css";

export function OverviewPage({ session, workspace }: PageProps) {
  const { overview } = useTexts();
  if (workspace) return <WorkspaceOverview session={session} workspaceId={workspace.id} />;
  return (
    <Page title={overview.noWorkspace} lead={overview.noWorkspaceHint}>
      <CopyLine text={`npx molva workspace add "${overview.sampleWorkspace}"`} />
    </Page>
  );
}

function WorkspaceOverview({ session, workspaceId }: { session: Session; workspaceId: string }) {
  const texts = useTexts();
  const language = locale.use();
  const { data, error, dataUpdatedAt } = useOverview(workspaceId);
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
      {data ? <Panels data={data} session={session} /> : <OverviewSkeleton />}
    </Page>
  );
}

function Panels({ data, session }: { data: Overview; session: Session }) {
  const workspace = session.workspaces.find(({ id }) => id === data.workspace.id);
  // Setting things up leaves events too, but none of a post.
  const isNew = totalOf(data.queue) === 0 && data.events.every((event) => event.message_id === null);
  return (
    <>
      {isNew && <FirstPost isDemo={session.playground} channels={data.channels.total} />}
      <QueueCard queue={data.queue} />
      {workspace?.scopes.includes("operate") && (
        <RecoverCard workspaceId={data.workspace.id} failed={data.queue.failed_permanent + data.queue.dead} />
      )}
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
