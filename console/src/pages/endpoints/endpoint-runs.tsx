import { useList } from "../../api/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Badge, Card, type Column, Moment, Table } from "../../ui/index.ts";
import { type Run, run } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const reasons = ["repeated", "too_large", "too_fast", "malformed"] as const;

/** What came through recently: what became posts, and what was dropped and why. */
export function EndpointRuns({ workspaceId, id }: { workspaceId: string; id: string }) {
  const texts = usePageTexts({ ru, en });
  // New posts are what the live stream tells of.
  const list = useList(`/endpoints/${encodeURIComponent(id)}/runs`, { workspace_id: workspaceId }, run, {
    topic: "messages",
    limit: 20,
  });
  const columns: Column<Run>[] = [
    { title: texts.when, cell: ({ started_at }) => <Moment at={started_at} /> },
    { title: texts.cameIn, grows: true, cell: (row) => <CameIn run={row} /> },
    {
      title: texts.deliveries,
      cell: ({ queued, deduped, refused }) => texts.deliveriesOf({ queued, deduped, refused }),
    },
    {
      title: texts.trace,
      cell: ({ trace_id, run_id }) => <code className="breaks">{trace_id ?? run_id.slice(0, 8)}</code>,
    },
  ];
  return (
    <section className="stack" aria-label={texts.recent}>
      <h2>{texts.recent}</h2>
      <Table
        label={texts.recent}
        columns={columns}
        rows={list.items}
        keyOf={({ run_id }) => run_id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={
          <Card title={texts.noRuns}>
            <p className="soft">{texts.noRunsHint}</p>
          </Card>
        }
      />
    </section>
  );
}

function CameIn({ run: { accepted, dropped } }: { run: Run }) {
  const texts = usePageTexts({ ru, en });
  return (
    <span className="badges">
      {accepted > 0 && <Badge tone="good">{texts.accepted(accepted)}</Badge>}
      {reasons
        .filter((reason) => dropped[reason] > 0)
        .map((reason) => (
          <Badge key={reason} tone={reason === "repeated" ? "idle" : "bad"} title={texts.dropHints[reason]}>
            {texts.drops[reason](dropped[reason])}
          </Badge>
        ))}
    </span>
  );
}
