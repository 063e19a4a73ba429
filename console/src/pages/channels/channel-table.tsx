import type { ReactNode } from "react";
import type { PagedList } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import { type Column, Moment, Platform, Table } from "../../ui/index.ts";
import { nameOf } from "./calls.ts";
import { ChannelState } from "./channel-state.tsx";
import type { BusyChannel } from "./shapes.ts";
import { useWords } from "./use-words.ts";

interface Props {
  readonly list: PagedList<BusyChannel>;
  readonly chosen: ReadonlySet<string> | undefined;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  readonly onTag: (tag: string) => void;
  readonly empty: ReactNode;
}

export function ChannelTable({ list, chosen, onChoose, onTag, empty }: Props) {
  const texts = useWords();
  const columns: Column<BusyChannel>[] = [
    {
      title: texts.name,
      isName: true,
      cell: (channel) => (
        <div className="channel-name">
          <Link href={`/channels/${channel.channel_id}`}>{nameOf(channel)}</Link>
          <small>
            <Platform name={channel.platform} /> <span>{channel.target_name ?? channel.target_id}</span>
          </small>
        </div>
      ),
    },
    { title: texts.stateTitle, cell: (channel) => <ChannelState channel={channel} /> },
    {
      title: texts.tags,
      cell: ({ tags }) =>
        tags.length > 0 && (
          <div className="channel-tags">
            {tags.map((tag) => (
              <button key={tag} type="button" aria-label={texts.onlyTag(tag)} onClick={() => onTag(tag)}>
                {tag}
              </button>
            ))}
          </div>
        ),
    },
    { title: texts.waits, cell: ({ activity }) => activity && <Waiting activity={activity} /> },
    {
      title: texts.lastPost,
      cell: ({ activity }) =>
        activity?.last_sent_at ? (
          <Moment at={activity.last_sent_at} />
        ) : (
          <span className="soft">{texts.never}</span>
        ),
    },
  ];
  return (
    <Table
      label={texts.title}
      columns={columns}
      rows={list.items}
      keyOf={({ channel_id }) => channel_id}
      error={list.error}
      onRetry={list.refetch}
      empty={empty}
      {...(chosen && { chosen, onChoose })}
      more={list}
    />
  );
}

export function Waiting({ activity }: { activity: NonNullable<BusyChannel["activity"]> }) {
  const texts = useWords();
  const { waiting, held, next_due_at, block } = activity;
  if (waiting === 0) return <span className="soft">{texts.nothingWaits}</span>;
  return (
    <div className="channel-state">
      <span>{texts.waiting(waiting)}</span>
      {held > 0 && <small>{texts.held(held)}</small>}
      {block ? (
        <small>{texts.block[block] ?? block}</small>
      ) : (
        next_due_at && (
          <small>
            {texts.next} <Moment at={next_due_at} />
          </small>
        )
      )}
    </div>
  );
}
