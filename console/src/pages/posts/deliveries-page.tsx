import { useEffect, useState } from "react";
import { useList } from "../../api/index.ts";
import { Link, useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { type Column, Empty, Moment, Page, Table } from "../../ui/index.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ChannelLabel } from "./channel-label.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { ErrorWords } from "./error-words.tsx";
import { addressOf, filterNames, filterOf } from "./filter.ts";
import { PartsTabs } from "./parts-tabs.tsx";
import { SavedChips } from "./saved-chips.tsx";
import { type Delivery, delivery } from "./shapes.ts";
import { StageBadge } from "./stage-badge.tsx";
import { type PostsTexts, usePostsTexts } from "./use-posts-texts.ts";
import { useSteady } from "./use-steady.ts";
import "./posts.css";

const none: ReadonlySet<string> = new Set();

export function DeliveriesPage({ workspace }: WorkspacePageProps) {
  const texts = usePostsTexts();
  const [query, setQuery] = useQueryOf(...filterNames);
  const filter = useSteady(query, (now) => filterOf(query, now));
  const [chosen, setChosen] = useState(none);
  const list = useList(
    "/deliveries",
    {
      workspace_id: workspace.id,
      status: filter.status.join(","),
      channel_id: filter.channel,
      since: filter.since,
    },
    delivery,
    { topic: "deliveries" },
  );
  const address = addressOf(query);
  // Whatever changes the filter: what was chosen may not be on the page any more, and nobody should change what is not seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address stands for the filter.
  useEffect(() => setChosen(none), [address]);
  const mayOperate = workspace.scopes.includes("operate");
  return (
    <Page title={texts.title}>
      <PartsTabs current="/deliveries" />
      <DeliveryFilters workspaceId={workspace.id} query={query} onChange={setQuery} />
      <SavedChips workspaceId={workspace.id} address={address} />
      {mayOperate && (
        <BulkBar workspaceId={workspace.id} chosen={chosen} filter={filter} onDone={() => setChosen(none)} />
      )}
      <Table
        label={texts.deliveries}
        columns={columnsOf(texts)}
        rows={list.items}
        keyOf={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        {...(mayOperate && { chosen, onChoose: setChosen })}
        {...(!list.hasMore && { empty: <NothingThere filtered={address !== ""} /> })}
      />
    </Page>
  );
}

function NothingThere({ filtered }: { filtered: boolean }) {
  const { filter: texts } = usePostsTexts();
  return filtered ? (
    <Empty title={texts.nothing} hint={texts.nothingHint} />
  ) : (
    <Empty title={texts.empty} hint={texts.emptyHint} />
  );
}

function columnsOf(texts: PostsTexts): Column<Delivery>[] {
  return [
    {
      title: texts.delivery.post,
      cell: ({ id, snippet }) => (
        <Link href={`/deliveries/${id}`} className="post-line">
          <span>{snippet || texts.list.noText}</span>
        </Link>
      ),
    },
    { title: texts.delivery.channel, cell: ({ channel }) => <ChannelLabel channel={channel} /> },
    { title: texts.delivery.status, cell: (each) => <StageBadge delivery={each} /> },
    { title: texts.delivery.created, cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      title: texts.list.wrong,
      cell: ({ error, status }) => error && status !== "sent" && <ErrorWords error={error} brief />,
    },
  ];
}
