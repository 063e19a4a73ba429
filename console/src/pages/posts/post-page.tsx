import { Refused, useList, useThing } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { Card, Empty, Facts, Fault, Moment, Page, Skeleton } from "../../ui/index.ts";
import { CorrectionsList } from "./corrections-list.tsx";
import { Places } from "./places.tsx";
import { PostActions } from "./post-actions.tsx";
import { PostContent } from "./post-content.tsx";
import { originOf } from "./posts-page.tsx";
import { Preview } from "./preview.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { correction, postDetail, postWhy } from "./shapes.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import { useZones } from "./zones.ts";
import "./posts.css";

/** One post: what it says, and how it fares in each of its channels. */
export function PostPage({ workspace, params }: WorkspacePageProps) {
  const texts = usePostsTexts();
  const id = params.id ?? "";
  const place = { workspace_id: workspace.id };
  const path = `/messages/${encodeURIComponent(id)}`;
  const found = useThing(path, place, postDetail, { topic: "messages", everyMs: 10_000 });
  const whys = useThing(`${path}/why`, place, postWhy, { topic: "deliveries", everyMs: 10_000 });
  const corrections = useList("/corrections", { ...place, message_id: found.data?.id }, correction, {
    ...{ topic: "corrections", enabled: found.data !== undefined },
  });
  const zoneOf = useZones(workspace.id);
  const shown = found.data;
  if (found.error && !shown) return <Missing error={found.error} onRetry={() => void found.refetch()} />;
  if (!shown)
    return (
      <Page title={texts.post.title}>
        <Skeleton height={220} />
      </Page>
    );
  const items = whys.data?.items ?? [];
  const now = shown.corrected ?? shown.post;
  return (
    <Page
      title={texts.post.title}
      aside={
        <div className="post-actions">
          {workspace.scopes.includes("write") && (
            <Link className="button quiet" href={`/compose?from=${encodeURIComponent(shown.id)}`}>
              {texts.post.similar}
            </Link>
          )}
          {workspace.scopes.includes("operate") && (
            <PostActions
              workspaceId={workspace.id}
              subject={{ kind: "messages", id: shown.id }}
              deliveries={items}
              text={now.text}
            />
          )}
        </div>
      }
    >
      <div className="post-page">
        <div className="post-column">
          <Card title={texts.post.given} aside={<Moment at={shown.created_at} />}>
            <PostContent content={shown.post} />
          </Card>
          {shown.corrected && (
            <Card title={texts.post.correctedNow}>
              <PostContent content={shown.corrected} />
            </Card>
          )}
          <Card title={texts.delivery.details}>
            <Facts
              facts={[
                [texts.list.delivered, <ProgressBar key="progress" counts={shown.deliveries} />],
                [texts.list.from, originOf(shown, texts)],
                [texts.post.tags, shown.tags.join(", ")],
                [texts.post.sourceRef, shown.source_ref],
                [texts.list.when, shown.seen_count > 1 ? texts.list.repeats(shown.seen_count) : null],
              ]}
            />
          </Card>
          {items.length > 0 && (
            <Preview
              workspaceId={workspace.id}
              content={now}
              channels={items.map(({ channel }) => channel)}
            />
          )}
        </div>
        <div className="post-column">
          {whys.error && !whys.data && <Fault error={whys.error} onRetry={() => void whys.refetch()} />}
          {whys.data ? (
            <Places items={items} unrouted={whys.data.unrouted} zoneOf={zoneOf} />
          ) : (
            <Skeleton height={220} />
          )}
          <CorrectionsList corrections={corrections.items ?? []} />
        </div>
      </div>
    </Page>
  );
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { post: texts } = usePostsTexts();
  const isGone = error instanceof Refused && (error.status === 404 || error.status === 400);
  return (
    <Page title={texts.title}>
      {isGone ? (
        <Empty title={texts.missing} hint={texts.missingHint} />
      ) : (
        <Fault error={error} onRetry={onRetry} />
      )}
    </Page>
  );
}
