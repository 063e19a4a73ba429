import { usePageTexts } from "../../texts/index.ts";
import { Empty, Moment, Table } from "../../ui/index.ts";
import { broughtWords, failureWords } from "./run-words.ts";
import type { SourceRun } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useRuns } from "./use-sources.ts";

/** Last runs of a source: what each brought, and what was dropped of it and why. */
export function Runs({ workspaceId, sourceId }: { workspaceId: string; sourceId: string }) {
  const texts = usePageTexts({ ru, en });
  const runs = useRuns(workspaceId, sourceId);
  return (
    <section className="source-runs" aria-label={texts.runs}>
      <h2>{texts.runs}</h2>
      <Table
        label={texts.runs}
        rows={runs.items}
        keyOf={({ run_id }) => run_id}
        error={runs.error}
        onRetry={runs.refetch}
        more={runs}
        empty={<Empty title={texts.runsEmpty} hint={texts.runsEmptyHint} />}
        columns={[
          { title: texts.runStart, cell: ({ started_at }) => <Moment at={started_at} /> },
          { title: texts.runTook, align: "right", cell: (run) => tookWords(run, texts) },
          {
            title: texts.runResult,
            cell: (run) => (
              <>
                {broughtWords(run, texts)}
                {run.stats.error && (
                  <small className="source-error">{failureWords(run.stats.error, texts)}</small>
                )}
              </>
            ),
          },
          { title: texts.runRefused, grows: true, cell: ({ refused }) => <Dropped refused={refused} /> },
        ]}
      />
    </section>
  );
}

function Dropped({ refused }: Pick<SourceRun, "refused">) {
  if (refused.length === 0) return null;
  return (
    <ul className="source-dropped">
      {refused.map(({ source_ref, fault }) => (
        <li key={source_ref}>
          <code>{source_ref}</code> {typeof fault === "string" ? fault : JSON.stringify(fault)}
        </li>
      ))}
    </ul>
  );
}

function tookWords({ started_at, finished_at }: SourceRun, texts: typeof ru): string {
  return finished_at === null
    ? texts.running
    : texts.seconds((Date.parse(finished_at) - Date.parse(started_at)) / 1000);
}
