import { useList } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Badge, type Column, Empty, Moment, Table } from "../../ui/index.ts";
import { topic } from "./api.ts";
import { type Alert, alert, type Target } from "./shapes.ts";
import { targetName } from "./target-name.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const tones = { pending: "busy", sent: "good", given_up: "bad" } as const;

interface Props {
  readonly workspaceId: string;
  readonly targets: readonly Target[];
}

/** What people were alerted of, and whom that reached. */
export function AlertList({ workspaceId, targets }: Props) {
  const texts = usePageTexts({ ru, en });
  const list = useList("/alerts", { workspace_id: workspaceId }, alert, { topic });
  const nameOf = (id: string) => targets.find(({ target_id }) => target_id === id);
  const columns: Column<Alert>[] = [
    { title: texts.at, cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      title: texts.what,
      isName: true,
      grows: true,
      cell: ({ findings }) => (
        <ul className="alert-reasons">
          {findings.map((finding) => (
            <Finding key={finding.reason} finding={finding} />
          ))}
        </ul>
      ),
    },
    {
      title: texts.reached,
      cell: ({ letters }) =>
        letters.length === 0
          ? texts.nobody
          : letters.map(({ target_id, kind, status, last_error }) => {
              const known = nameOf(target_id);
              return (
                <div key={target_id} className="breaks">
                  {known ? targetName(known) : texts.kinds[kind]}{" "}
                  <Badge tone={tones[status]} title={last_error ?? ""}>
                    {texts.letter[status]}
                  </Badge>
                </div>
              );
            }),
    },
  ];
  return (
    <section className="stack" aria-label={texts.last}>
      <h2>{texts.last}</h2>
      <Table
        label={texts.last}
        columns={columns}
        rows={list.items}
        keyOf={({ alert_id }) => alert_id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={<Empty title={texts.quiet} hint={texts.quietHint} />}
      />
    </section>
  );
}

function Finding({ finding: { reason, count, examples } }: { finding: Alert["findings"][number] }) {
  const texts = usePageTexts({ ru, en });
  const { numbers } = useTexts();
  const known: Readonly<Record<string, string>> = texts.reasons;
  const [first] = examples;
  const about = first && [first.channel ?? first.source_id ?? first.account, first.code].filter(Boolean);
  return (
    <li>
      {known[reason] ?? reason}: {numbers.format(count)}
      {about && about.length > 0 && (
        <div className="soft breaks" title={first.message}>
          {about.join(", ")}
        </div>
      )}
    </li>
  );
}
