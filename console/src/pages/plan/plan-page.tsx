import { Wand2 } from "lucide-react";
import { useState } from "react";
import { useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { useNow } from "../../time/index.ts";
import { Button, Dialog, Empty, Fault, Notice, Page, Skeleton } from "../../ui/index.ts";
import type { CalendarProps } from "./cell.tsx";
import { DayList } from "./day-list.tsx";
import { dayIn, daysOf, isDay, ownZone, spanOf } from "./days.ts";
import { EntryChip } from "./entry-chip.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import { dayOf, isMovable, isOfKind, kinds, timeOf } from "./entry-words.ts";
import { MonthGrid } from "./month-grid.tsx";
import { PlanToolbar } from "./plan-toolbar.tsx";
import type { Entry } from "./shapes.ts";
import { StandingCards } from "./standing-cards.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useMove } from "./use-move.ts";
import { useNarrow } from "./use-narrow.ts";
import { useChannels, usePlan } from "./use-plan.ts";
import { WeekGrid } from "./week-grid.tsx";
import { WhatIf } from "./what-if.tsx";
import "./plan.css";
import "./entry.css";

export function PlanPage({ workspace }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const now = useNow();
  const narrow = useNarrow();
  const [query, setQuery] = useQueryOf("view", "day", "channel", "kind", "if");
  const [opened, setOpened] = useState<Entry | null>(null);
  const [unfolded, setUnfolded] = useState<{ title: string; entries: readonly Entry[] } | null>(null);
  const channels = useChannels(workspace.id);
  const mayMove = workspace.scopes.includes("operate");
  const { move, drop, refusal } = useMove(workspace.id);

  const view = query.view === "month" ? "month" : "week";
  const kind = kinds.find((each) => each === query.kind) ?? "all";
  const own = dayIn(ownZone(), now);
  const day = isDay(query.day) && query.day >= own ? query.day : own;
  const span = spanOf(view, day);
  const plan = usePlan(workspace.id, span, query.channel);
  const today = plan.data ? dayIn(plan.data.zone, now) : own;
  const entries = (plan.data?.items ?? []).filter(
    (entry) => isOfKind(entry, kind) && dayOf(entry) >= span.first && dayOf(entry) < span.end,
  );
  const isFiltered = kind !== "all" || query.channel !== undefined;
  const calendar: CalendarProps = {
    ...{ days: daysOf(span), today, entries, mayMove },
    onOpen: setOpened,
    onUnfold: (title, entries) => setUnfolded({ title, entries }),
    onDrop: (id, { day, hour }) => {
      const entry = entries.find((each) => each.id === id);
      if (!entry || !mayMove || !isMovable(entry)) return;
      const [hours = "", minutes = ""] = timeOf(entry).split(":");
      void drop(entry, `${day}T${hour === undefined ? hours : String(hour).padStart(2, "0")}:${minutes}`);
    },
  };
  const Calendar = narrow ? DayList : view === "month" ? MonthGrid : WeekGrid;
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      aside={
        <Button
          icon={<Wand2 aria-hidden="true" />}
          aria-expanded={query.if === "1"}
          onClick={() => setQuery({ if: query.if === "1" ? "" : "1" })}
        >
          {texts.ifs.open}
        </Button>
      }
    >
      <PlanToolbar
        chosen={{ view, day: query.day ?? "", channel: query.channel ?? "", kind }}
        span={span}
        today={own}
        channels={channels.items ?? []}
        onChange={setQuery}
      />
      {query.if === "1" && (
        <WhatIf
          workspace={workspace}
          channels={channels.items ?? []}
          span={span}
          chosenId={query.channel}
          onApplied={() => void plan.refetch()}
        />
      )}
      {refusal && (
        <Notice tone="bad" title={texts.move.refused}>
          {refusal}
        </Notice>
      )}
      {plan.data?.truncated && <Notice tone="warn">{texts.truncated}</Notice>}
      {plan.error && !plan.data && <Fault error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.isPending && <Skeleton height={480} />}
      {plan.data && entries.length === 0 && (
        <Empty
          title={isFiltered ? texts.emptyFiltered : texts.empty}
          hint={isFiltered ? texts.emptyFilteredHint : texts.emptyHint}
        >
          {isFiltered && <Button onClick={() => setQuery({ kind: "", channel: "" })}>{texts.clear}</Button>}
        </Empty>
      )}
      {plan.data && entries.length > 0 && <Calendar {...calendar} />}
      {plan.data && (
        <p className="soft plan-foot">
          {plan.data.zone !== ownZone() && <span>{texts.zones(plan.data.zone)}</span>}
          {plan.data.counts.later > 0 && <span>{texts.later(plan.data.counts.later)}</span>}
        </p>
      )}
      {plan.data && <StandingCards plan={plan.data} />}
      {unfolded && (
        <Dialog title={unfolded.title} onClose={() => setUnfolded(null)}>
          {(close) => (
            <div className="day-entries">
              {unfolded.entries.map((entry) => (
                <EntryChip
                  key={`${entry.kind} ${entry.id}`}
                  entry={entry}
                  mayMove={false}
                  onOpen={(chosen) => {
                    close();
                    setOpened(chosen);
                  }}
                />
              ))}
            </div>
          )}
        </Dialog>
      )}
      {opened && (
        <EntryDialog
          workspaceId={workspace.id}
          entry={opened}
          mayMove={mayMove}
          onMove={move}
          onClose={() => setOpened(null)}
        />
      )}
    </Page>
  );
}
