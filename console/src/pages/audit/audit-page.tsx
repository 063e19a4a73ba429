import { Download } from "lucide-react";
import { type Query, useList, withQuery } from "../../api/index.ts";
import { useQueryOf } from "../../router/index.ts";
import type { PageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import {
  Badge,
  Button,
  type Column,
  Empty,
  FilterField,
  Page,
  SearchField,
  Table,
  Toolbar,
  ZonedTime,
} from "../../ui/index.ts";
import { CheckAudit } from "./check-audit.tsx";
import { EntryDetails } from "./entry-details.tsx";
import { actions } from "./known-actions.ts";
import { type Entry, entry } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./audit.css";

const kinds = ["operator", "token", "command", "system", "anonymous"] as const;
const periods = { day: 1, week: 7, month: 30 } as const;
type Period = keyof typeof periods;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function AuditPage({ session, workspace }: PageProps) {
  const texts = usePageTexts({ ru, en });
  const [query, change] = useQueryOf("of", "action", "actor", "period");
  const chains = chainsOf(session.operator.administrator, workspace?.id);
  const of = chains.find((each) => each === query.of) ?? chains[0] ?? "";
  const chain = of === "workspace" ? workspace?.id : of === "installation" ? "installation" : undefined;
  const period = Object.keys(periods).find((each): each is Period => each === query.period);
  const list = useList<Entry>(
    "/audit",
    { workspace_id: chain, action: query.action, actor: query.actor, since: sinceOf(period) } satisfies Query,
    entry,
    { topic: "audit" },
  );
  const isFiltered = Boolean(query.action ?? query.actor ?? period);
  const known: Readonly<Record<string, string>> = texts.actions;
  const columns: Column<Entry>[] = [
    { title: texts.when, cell: ({ at }) => <ZonedTime at={at} zone={zone} /> },
    {
      title: texts.who,
      cell: ({ actor, actor_name }) =>
        actor.id === null ? (
          <span>{actor_name ?? texts.kinds[actor.kind]}</span>
        ) : (
          <button
            type="button"
            className="audit-who"
            title={texts.onlyThis}
            onClick={() => change({ actor: actor.id ?? "" })}
          >
            {actor_name ?? actor.id}
            <span className="soft"> {texts.kinds[actor.kind]}</span>
          </button>
        ),
    },
    {
      title: texts.what,
      isName: true,
      grows: true,
      cell: (row) => (
        <>
          <span title={row.action}>{known[row.action] ?? row.action}</span>{" "}
          {row.result === "refused" && <Badge tone="bad">{texts.refused}</Badge>}
          <EntryDetails entry={row} />
        </>
      ),
    },
    { title: texts.from, cell: ({ address }) => <span className="whole">{address ?? "—"}</span> },
  ];
  const download = (format: string) => withQuery("/api/v1/audit/export", { workspace_id: chain, format });
  return (
    <Page title={texts.title} lead={texts.lead}>
      <CheckAudit chain={chain} />
      <Toolbar>
        {chains.length > 1 && (
          <FilterField
            label={texts.of}
            value={of}
            choices={chains.map((value) => ({
              value,
              title: value === "workspace" ? texts.ofWorkspace(workspace?.name ?? "") : texts.ofChain[value],
            }))}
            onChoose={(value) => change({ of: value })}
          />
        )}
        <FilterField
          label={texts.what}
          value={query.action ?? ""}
          choices={[
            { value: "", title: texts.anyAction },
            ...(query.action && !actions.some((each) => each === query.action)
              ? [{ value: query.action, title: query.action }]
              : []),
            ...actions.map((value) => ({ value, title: texts.actions[value] })),
          ]}
          onChoose={(action) => change({ action })}
        />
        <FilterField
          label={texts.who}
          value={kinds.find((each) => each === query.actor) ?? ""}
          choices={[
            { value: "" as const, title: texts.anybody },
            ...kinds.map((value) => ({ value, title: texts.kindsFilter[value] })),
          ]}
          onChoose={(actor) => change({ actor })}
        />
        <FilterField
          label={texts.when}
          value={period ?? ""}
          choices={[
            { value: "" as const, title: texts.allTime },
            ...(["day", "week", "month"] as const).map((value) => ({ value, title: texts.periods[value] })),
          ]}
          onChoose={(value) => change({ period: value })}
        />
        <SearchField
          label={texts.actorId}
          value={query.actor && !kinds.some((each) => each === query.actor) ? query.actor : ""}
          onSearch={(actor) => change({ actor })}
        />
        {isFiltered && (
          <Button look="quiet" onClick={() => change({ action: "", actor: "", period: "" })}>
            {texts.clear}
          </Button>
        )}
      </Toolbar>
      <Table
        label={texts.title}
        columns={columns}
        rows={list.items}
        keyOf={({ workspace_id, seq }) => `${workspace_id ?? ""} ${seq}`}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={<Empty title={texts.empty} hint={isFiltered ? texts.emptyFiltered : texts.emptyHint} />}
      />
      <nav className="audit-export" aria-label={texts.export}>
        <Download aria-hidden="true" />
        <a href={download("jsonl")} download>
          {texts.exportLines}
        </a>
        <a href={download("csv")} download>
          {texts.exportCsv}
        </a>
        <span className="soft">{texts.exportHint}</span>
      </nav>
    </Page>
  );
}

/** Administrators of the installation see every chain; others that of the chosen workspace. */
function chainsOf(isAdministrator: boolean, workspaceId: string | undefined) {
  const own = workspaceId === undefined ? [] : (["workspace"] as const);
  return isAdministrator ? (["all", ...own, "installation"] as const) : own;
}

/** From the beginning of an hour, so that the list keeps its place in the cache. */
function sinceOf(period: Period | undefined): string | undefined {
  if (!period) return undefined;
  const hour = 3_600_000;
  return new Date(Math.floor(Date.now() / hour) * hour - periods[period] * 24 * hour).toISOString();
}
