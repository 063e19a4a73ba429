import { LogOut } from "lucide-react";
import { useState } from "react";
import { Refused, tell, useChange, useThing } from "../../api/index.ts";
import { useQueryOf } from "../../router/index.ts";
import type { PageProps } from "../../shell/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  AskDialog,
  Badge,
  Button,
  type Column,
  FilterField,
  Moment,
  Page,
  Table,
  Toolbar,
  toast,
} from "../../ui/index.ts";
import { deviceOf } from "./device.ts";
import { type SessionRow, sessionList } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const topic = "sessions";

type Ending = { readonly one: SessionRow } | { readonly others: readonly SessionRow[] };

export function SessionsPage({ session }: PageProps) {
  const texts = usePageTexts({ ru, en });
  const [query, change] = useQueryOf("all");
  const isAll = query.all === "true" && session.operator.administrator;
  const { data, error, refetch } = useThing("/sessions", { all: isAll || undefined }, sessionList, { topic });
  const [ending, setEnding] = useState<Ending | null>(null);
  const others = (data?.items ?? []).filter(
    ({ current, operator_id }) => !current && operator_id === session.operator.id,
  );
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      aside={
        others.length > 0 && (
          <Button icon={<LogOut aria-hidden="true" />} onClick={() => setEnding({ others })}>
            {texts.endOthers}
          </Button>
        )
      }
    >
      {session.operator.administrator && (
        <Toolbar>
          <FilterField
            label={texts.whose}
            value={isAll ? "true" : ""}
            choices={[
              { value: "", title: texts.own },
              { value: "true", title: texts.everybody },
            ]}
            onChoose={(all) => change({ all })}
          />
        </Toolbar>
      )}
      <SessionTable
        rows={data?.items}
        error={error}
        onRetry={() => void refetch()}
        showsWhose={isAll}
        onEnd={(one) => setEnding({ one })}
      />
      {ending && <EndSessions ending={ending} onClose={() => setEnding(null)} />}
    </Page>
  );
}

interface TableProps {
  readonly rows: readonly SessionRow[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly showsWhose: boolean;
  readonly onEnd: (row: SessionRow) => void;
}

function SessionTable({ showsWhose, onEnd, ...rest }: TableProps) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const columns: Column<SessionRow>[] = [
    {
      title: texts.device,
      grows: true,
      cell: (row) => (
        <span title={row.user_agent ?? undefined}>
          {texts.deviceIn(deviceOf(row.user_agent))}{" "}
          {row.current && <Badge tone="good">{texts.current}</Badge>}
        </span>
      ),
    },
    ...(showsWhose
      ? [
          {
            title: texts.who,
            cell: ({ login }: SessionRow) => <span className="breaks">{login}</span>,
          },
        ]
      : []),
    { title: texts.address, cell: ({ address }) => <span className="whole">{address ?? "—"}</span> },
    { title: texts.lastSeen, cell: ({ last_seen_at }) => <Moment at={last_seen_at} /> },
    { title: texts.since, cell: ({ created_at }) => <Moment at={created_at} /> },
    { title: texts.until, cell: ({ expires_at }) => <Moment at={expires_at} /> },
    {
      title: common.actions,
      quietTitle: true,
      align: "right",
      cell: (row) =>
        row.current ? null : (
          <Button
            look="quiet"
            aria-label={texts.endOf(texts.deviceIn(deviceOf(row.user_agent)), row.login)}
            onClick={() => onEnd(row)}
          >
            {texts.end}
          </Button>
        ),
    },
  ];
  return <Table label={texts.title} columns={columns} keyOf={({ id }) => id} {...rest} />;
}

function EndSessions({ ending, onClose }: { ending: Ending; onClose: () => void }) {
  const texts = usePageTexts({ ru, en });
  const end = useChange(
    (sessions: readonly SessionRow[]) =>
      Promise.all(
        sessions.map(({ id }) =>
          tell(`/sessions/${encodeURIComponent(id)}`, { method: "DELETE" }).catch(unlessGone),
        ),
      ),
    [topic],
  );
  if ("others" in ending)
    return (
      <AskDialog
        title={texts.endOthersTitle}
        submit={texts.endOthers}
        look="danger"
        act={() => end.mutateAsync(ending.others)}
        onDone={() => toast(texts.ended(ending.others.length))}
        onClose={onClose}
      >
        <p>{texts.endOthersHint}</p>
      </AskDialog>
    );
  const { one } = ending;
  return (
    <AskDialog
      title={texts.endTitle(texts.deviceIn(deviceOf(one.user_agent)), one.login)}
      submit={texts.end}
      look="danger"
      act={() => end.mutateAsync([one])}
      onDone={() => toast(texts.ended(1))}
      onClose={onClose}
    >
      <p>{texts.endHint}</p>
    </AskDialog>
  );
}

/** It ended by itself meanwhile: the goal is reached. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Refused && error.status === 404)) throw error;
}
