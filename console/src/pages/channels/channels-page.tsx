import { FileUp, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { useList } from "../../api/index.ts";
import { Link, useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { Empty, Page } from "../../ui/index.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ChannelFilters, filterOf } from "./channel-filters.tsx";
import { ChannelTable } from "./channel-table.tsx";
import { busyChannel } from "./shapes.ts";
import { useWords } from "./use-words.ts";
import "./channels.css";

export function ChannelsPage({ workspace }: WorkspacePageProps) {
  const texts = useWords();
  const [query, change] = useQueryOf("text", "platform", "state", "tag");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const filter = filterOf(query);
  const channels = useList(
    "/channels",
    { workspace_id: workspace.id, ...filter, addressed: false, activity: true },
    busyChannel,
    { topic: "channels", limit: 100 },
  );
  const mayWrite = workspace.scopes.includes("write");
  const mayOperate = workspace.scopes.includes("operate");
  const isFiltered = Object.keys(query).length > 0;
  // What is no longer listed must not be changed unseen, whatever changed the filter.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the query stands for it.
  useEffect(() => setChosen(new Set()), [JSON.stringify(query)]);
  const add = mayWrite && (
    <Link className="button main" href="/channels/new">
      <Plus aria-hidden="true" />
      {texts.add}
    </Link>
  );
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      aside={
        <div className="channel-actions">
          <Link className="button plain" href="/channels/file">
            <FileUp aria-hidden="true" />
            {texts.file.open}
          </Link>
          {add}
        </div>
      }
    >
      <ChannelFilters workspaceId={workspace.id} query={query} onChange={change} />
      {mayOperate && chosen.size > 0 && (
        <BulkBar
          workspaceId={workspace.id}
          chosen={chosen}
          known={channels.items ?? []}
          filter={isFiltered || channels.hasMore ? filter : undefined}
          onChoose={setChosen}
        />
      )}
      <ChannelTable
        list={channels}
        chosen={mayOperate ? chosen : undefined}
        onChoose={setChosen}
        onTag={(tag) => change({ tag })}
        empty={
          isFiltered ? (
            <Empty title={texts.nothingFound} hint={texts.nothingFoundHint} />
          ) : (
            <Empty title={texts.empty} hint={texts.emptyHint}>
              {add}
            </Empty>
          )
        }
      />
    </Page>
  );
}
