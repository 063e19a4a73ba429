import { ExternalLink } from "lucide-react";
import { Refused, useThing } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { Card, Empty, Facts, Fault, Moment, Page, Skeleton, ZonedTime } from "../../ui/index.ts";
import { ChannelLabel, nameOf } from "./channel-label.tsx";
import { CorrectionsList } from "./corrections-list.tsx";
import { Losses } from "./places.tsx";
import { PostActions } from "./post-actions.tsx";
import { type DeliveryDetail, deliveryDetail, postDetail } from "./shapes.ts";
import { StageBadge } from "./stage-badge.tsx";
import { Timeline } from "./timeline.tsx";
import { usePostsTexts } from "./use-posts-texts.ts";
import { WhyWords } from "./why-words.tsx";
import { useZones } from "./zones.ts";
import "./posts.css";

/** One delivery: where it stands and why, and everything that happened to it. */
export function DeliveryPage({ workspace, params }: WorkspacePageProps) {
  const texts = usePostsTexts();
  const place = { workspace_id: workspace.id };
  const path = `/deliveries/${encodeURIComponent(params.id ?? "")}`;
  const found = useThing(path, place, deliveryDetail, { topic: "deliveries", everyMs: 10_000 });
  const shown = found.data;
  const post = useThing(`/messages/${shown?.message_id}`, place, postDetail, {
    ...{ topic: "messages", enabled: shown !== undefined },
  });
  const zone = useZones(workspace.id)(shown?.channel.id ?? "");
  if (found.error && !shown) return <Missing error={found.error} onRetry={() => void found.refetch()} />;
  if (!shown)
    return (
      <Page title={texts.delivery.title}>
        <Skeleton height={220} />
      </Page>
    );
  const text = (post.data?.corrected ?? post.data?.post)?.text;
  return (
    <Page
      title={`${texts.delivery.title}: ${nameOf(shown.channel)}`}
      aside={
        workspace.scopes.includes("operate") && text !== undefined ? (
          <PostActions
            workspaceId={workspace.id}
            subject={{ kind: "deliveries", id: shown.id }}
            deliveries={[shown]}
            text={text}
          />
        ) : null
      }
    >
      <div className="post-page">
        <div className="post-column">
          <Card title={texts.delivery.whyTitle} aside={<StageBadge delivery={shown} />}>
            <WhyWords delivery={shown} zone={zone} />
            <Expectations delivery={shown} zone={zone} />
          </Card>
          <Card
            title={texts.delivery.text}
            aside={<Link href={`/posts/${shown.message_id}`}>{texts.delivery.open}</Link>}
          >
            <p className="post-text">{shown.snippet || texts.list.noText}</p>
            <Losses losses={[...shown.simplified, ...shown.losses]} />
          </Card>
          <CorrectionsList corrections={shown.corrections} />
        </div>
        <Card title={texts.delivery.timeline}>
          <Timeline events={shown.events} channel={nameOf(shown.channel)} zone={zone} />
        </Card>
      </div>
    </Page>
  );
}

function Expectations({ delivery: shown, zone }: { delivery: DeliveryDetail; zone: string }) {
  const { delivery: texts } = usePostsTexts();
  const { details, expected_at, since } = shown.why;
  const zoned = (at: string | null) => at && <ZonedTime at={at} zone={zone} />;
  const most = typeof details.max_attempts === "number" ? details.max_attempts : null;
  return (
    <Facts
      facts={[
        [texts.channel, <ChannelLabel key="channel" channel={shown.channel} />],
        [texts.expected, zoned(expected_at)],
        [texts.scheduled, zoned(shown.scheduled_for)],
        [texts.sentAt, zoned(shown.sent_at)],
        [texts.withdrawnAt, zoned(shown.withdrawn_at)],
        [texts.since, shown.sent_at ? null : since && <Moment at={since} />],
        [texts.attempts, shown.attempt > 0 ? texts.attemptsOf(shown.attempt, most) : null],
        [
          texts.ahead,
          typeof details.ahead === "number" && details.ahead > 0 ? texts.aheadOf(details.ahead) : null,
        ],
        [texts.template, shown.template_version],
        [texts.created, zoned(shown.created_at)],
        [
          texts.openThere,
          shown.url && (
            <a key="url" href={shown.url} target="_blank" rel="noopener noreferrer">
              {shown.url} <ExternalLink aria-hidden="true" className="inline-icon" />
            </a>
          ),
        ],
      ]}
    />
  );
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { delivery: texts } = usePostsTexts();
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
