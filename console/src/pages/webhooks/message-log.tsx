import { type ReactNode, useState } from "react";
import { useList } from "../../api/index.ts";
import { useQueryOf } from "../../router/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Badge, type Column, Empty, FilterField, Moment, Table, Toolbar } from "../../ui/index.ts";
import { topic } from "./api.ts";
import { MessageDialog } from "./message-dialog.tsx";
import { type EventType, eventTypes, type Message, message, messageStatuses } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly workspaceId: string;
  readonly id: string;
  readonly mayReplay: boolean;
  readonly aside: ReactNode;
}

const tones = { waiting: "busy", sent: "good", failed: "bad" } as const;

/** What the receiver was told, newest first. */
export function MessageLog({ workspaceId, id, mayReplay, aside }: Props) {
  const texts = usePageTexts({ ru, en });
  const [query, change] = useQueryOf("status", "type");
  const status = messageStatuses.find((each) => each === query.status) ?? "";
  const type = eventTypes.find((each) => each === query.type) ?? "";
  const list = useList(
    `/webhooks/${encodeURIComponent(id)}/messages`,
    { workspace_id: workspaceId, status, type },
    message,
    { topic },
  );
  const [opened, setOpened] = useState<string | null>(null);
  const columns: Column<Message>[] = [
    { title: texts.when, cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      title: texts.event,
      isName: true,
      grows: true,
      cell: (row) => (
        <button type="button" className="link-button" onClick={() => setOpened(row.event_id)}>
          {typeIn(row.type, texts.types) ?? (row.type === "webhook.test" ? texts.testEvent : row.type)}
        </button>
      ),
    },
    {
      title: texts.stateTitle,
      cell: (row) => <Badge tone={tones[row.status]}>{texts.status[row.status]}</Badge>,
    },
    { title: texts.answer, cell: (row) => texts.answerOf(row.response_status, row.error) },
    { title: texts.attempts, align: "right", cell: ({ attempts }) => attempts },
  ];
  return (
    <section className="stack" aria-label={texts.log}>
      <h2>{texts.log}</h2>
      <Toolbar>
        <FilterField
          label={texts.stateTitle}
          value={status}
          choices={[
            { value: "" as const, title: texts.anyStatus },
            ...messageStatuses.map((value) => ({ value, title: texts.statusFilter[value] })),
          ]}
          onChoose={(value) => change({ status: value })}
        />
        <FilterField
          label={texts.event}
          value={type}
          choices={[
            { value: "" as const, title: texts.anyEvent },
            ...eventTypes.map((value) => ({ value, title: texts.types[value] })),
          ]}
          onChoose={(value) => change({ type: value })}
        />
        {aside}
      </Toolbar>
      <Table
        label={texts.log}
        columns={columns}
        rows={list.items}
        keyOf={({ event_id }) => event_id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={
          <Empty
            title={texts.noMessages}
            hint={status || type ? texts.noMessagesFiltered : texts.noMessagesHint}
          />
        }
      />
      {opened && (
        <MessageDialog
          workspaceId={workspaceId}
          webhookId={id}
          eventId={opened}
          mayReplay={mayReplay}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}

function typeIn(type: string, words: Readonly<Record<EventType, string>>): string | undefined {
  const known = eventTypes.find((each) => each === type);
  return known && words[known];
}
