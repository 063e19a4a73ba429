import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { Refused } from "../../api/index.ts";
import { Link, navigate, useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import {
  AskDialog,
  Card,
  Empty,
  Facts,
  Fault,
  Moment,
  Notice,
  Page,
  Skeleton,
  toast,
} from "../../ui/index.ts";
import { RehearsalCard } from "./rehearsal.tsx";
import { failureWords } from "./run-words.ts";
import { Runs } from "./runs.tsx";
import type { Report, Source } from "./shapes.ts";
import { SourceButtons } from "./source-buttons.tsx";
import { addressOf } from "./source-config.ts";
import { SourceForm } from "./source-form.tsx";
import { StateBadge } from "./state-badge.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useSource, useSourceActs } from "./use-sources.ts";
import "./sources.css";

export function SourcePage({ workspace, params }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const id = params.id ?? "";
  const [query, setQuery] = useQueryOf("edit");
  const found = useSource(workspace.id, id);
  const { turn, remove } = useSourceActs(workspace.id);
  const [asking, setAsking] = useState<"disable" | "remove" | null>(null);
  const [rehearsed, setRehearsed] = useState<Report | null>(null);
  const source = found.data;

  if (found.error instanceof Refused && found.error.status === 404)
    return (
      <Page title={id}>
        <Empty title={texts.gone} hint={texts.goneHint}>
          <Link href="/sources">{texts.back}</Link>
        </Empty>
      </Page>
    );
  if (source && query.edit === "1" && workspace.scopes.includes("write"))
    return (
      <Page title={texts.form.changeTitle(id)}>
        <SourceForm
          workspace={workspace}
          source={source}
          onSaved={() => {
            setQuery({ edit: "" });
            toast(texts.form.saved(id));
          }}
          onCancel={() => setQuery({ edit: "" })}
        />
      </Page>
    );
  return (
    <Page
      title={id}
      aside={
        source && (
          <SourceButtons
            workspace={workspace}
            source={source}
            onRehearsed={setRehearsed}
            onChange={() => setQuery({ edit: "1" })}
            onAsk={setAsking}
          />
        )
      }
    >
      <Link href="/sources" className="back-link">
        <ArrowLeft aria-hidden="true" /> {texts.back}
      </Link>
      {found.error && !source && <Fault error={found.error} onRetry={() => void found.refetch()} />}
      {!source && found.isPending && <Skeleton height={220} />}
      {source?.last_error && (
        <Notice tone="bad" title={failureWords(source.last_error, texts)}>
          {texts.failures(source.failures)}
        </Notice>
      )}
      {source && (
        <Card title={texts.kinds[source.kind]} aside={<StateBadge source={source} />}>
          <Facts
            facts={[
              [texts.address, addressOf(source)],
              [texts.every, texts.everyWords(source.every_seconds)],
              [
                texts.columns.next,
                source.enabled ? <Moment key="next" at={source.next_run_at} /> : texts.noNext,
              ],
              [
                texts.success,
                source.last_success_at ? <Moment key="at" at={source.last_success_at} /> : texts.never,
              ],
              [texts.tags, Array.isArray(source.config.tags) ? source.config.tags.join(", ") : null],
              [texts.form.secret, source.has_secret ? texts.secretStored : null],
            ]}
          />
        </Card>
      )}
      {rehearsed && <RehearsalCard report={rehearsed} />}
      {source && <Runs key={lastRunOf(source)} workspaceId={workspace.id} sourceId={id} />}
      {asking === "disable" && (
        <AskDialog
          title={texts.disableTitle(id)}
          submit={texts.disable}
          asksReason
          act={(reason) => turn.mutateAsync({ id, on: false, reason })}
          onDone={() => toast(texts.disabled)}
          onClose={() => setAsking(null)}
        >
          {texts.disableHint}
        </AskDialog>
      )}
      {asking === "remove" && (
        <AskDialog
          title={texts.removeTitle(id)}
          submit={texts.remove}
          look="danger"
          asksReason
          typeToConfirm={id}
          act={(reason) => remove.mutateAsync({ id, reason })}
          onDone={() => {
            toast(texts.removed(id));
            navigate("/sources");
          }}
          onClose={() => setAsking(null)}
        >
          {texts.removeHint}
        </AskDialog>
      )}
    </Page>
  );
}

/** Another one when there is something new to read: a run that brings nothing is told by no event. */
function lastRunOf({ last_run }: Source): string {
  return `${last_run?.run_id} ${last_run?.finished_at}`;
}
