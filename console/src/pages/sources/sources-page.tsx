import { Plus } from "lucide-react";
import { Link, navigate, useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Button, type Column, Empty, Moment, Page, Table, toast } from "../../ui/index.ts";
import { broughtWords, failureWords } from "./run-words.ts";
import type { Source } from "./shapes.ts";
import { addressOf } from "./source-config.ts";
import { SourceForm } from "./source-form.tsx";
import { StateBadge } from "./state-badge.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useSources } from "./use-sources.ts";
import "./sources.css";

export function SourcesPage({ workspace }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const [query, setQuery] = useQueryOf("add");
  const sources = useSources(workspace.id);
  const mayAdd = workspace.scopes.includes("write");
  const add = mayAdd && (
    <Button look="main" icon={<Plus aria-hidden="true" />} onClick={() => setQuery({ add: "1" })}>
      {texts.add}
    </Button>
  );
  if (query.add === "1" && mayAdd)
    return (
      <Page title={texts.form.addTitle}>
        <SourceForm
          workspace={workspace}
          onSaved={(id) => {
            toast(texts.form.saved(id));
            navigate(`/sources/${encodeURIComponent(id)}`);
          }}
          onCancel={() => setQuery({ add: "" })}
        />
      </Page>
    );
  const columns: readonly Column<Source>[] = [
    {
      title: texts.columns.name,
      grows: true,
      cell: (source) => (
        <>
          <Link href={`/sources/${encodeURIComponent(source.source_id)}`}>{source.source_id}</Link>
          <small className="source-address">{addressOf(source)}</small>
        </>
      ),
    },
    { title: texts.columns.kind, cell: ({ kind }) => texts.shortKinds[kind] },
    {
      title: texts.columns.last,
      cell: ({ last_run_at }) => (last_run_at ? <Moment at={last_run_at} /> : texts.never),
    },
    {
      title: texts.columns.brought,
      cell: ({ last_run, last_error }) => (
        <>
          {last_run && broughtWords(last_run, texts)}
          {last_error && <small className="source-error">{failureWords(last_error, texts)}</small>}
        </>
      ),
    },
    {
      title: texts.columns.next,
      cell: ({ enabled, next_run_at }) => (enabled ? <Moment at={next_run_at} /> : texts.noNext),
    },
    { title: texts.columns.state, cell: (source) => <StateBadge source={source} /> },
  ];
  return (
    <Page title={texts.title} lead={texts.lead} aside={sources.items?.length === 0 ? null : add}>
      <Table
        label={texts.title}
        columns={columns}
        rows={sources.items}
        keyOf={({ source_id }) => source_id}
        error={sources.error}
        onRetry={sources.refetch}
        more={sources}
        empty={
          <Empty title={texts.empty} hint={texts.emptyHint}>
            {add}
          </Empty>
        }
      />
    </Page>
  );
}
