import { useState } from "react";
import { locale } from "../../preferences/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import type { CalendarProps } from "./cell.tsx";
import { dayWords, longDay } from "./day-words.ts";
import { EntryChip } from "./entry-chip.tsx";
import { dayOf, groupedBy } from "./entry-words.ts";
import type { Entry } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const most = 6;

/** The same by days, one under another: for a phone. */
export function DayList({ days, today, entries, ...rest }: CalendarProps) {
  const language = locale.use();
  const byDay = groupedBy(entries, dayOf);
  const shown = days.filter((day) => byDay.has(day) || day === today);
  return (
    <ol className="day-list">
      {shown.map((day) => (
        <li key={day} className="card">
          <h2 className={day === today ? "today" : ""} aria-current={day === today ? "date" : undefined}>
            {dayWords(day, language, longDay)}
          </h2>
          <DayEntries {...rest} entries={byDay.get(day) ?? []} />
        </li>
      ))}
    </ol>
  );
}

/** Entries of a day; many are folded. */
function DayEntries({
  entries,
  mayMove,
  onOpen,
}: Pick<CalendarProps, "mayMove" | "onOpen"> & { entries: readonly Entry[] }) {
  const texts = usePageTexts({ ru, en });
  const [unfolded, setUnfolded] = useState(false);
  if (entries.length === 0) return <p className="soft">{texts.dayEmpty}</p>;
  const shown = unfolded || entries.length <= most ? entries : entries.slice(0, most);
  return (
    <div className="day-entries">
      {shown.map((entry) => (
        <EntryChip key={`${entry.kind} ${entry.id}`} entry={entry} mayMove={mayMove} onOpen={onOpen} />
      ))}
      {shown.length < entries.length && (
        <button type="button" className="cell-more" onClick={() => setUnfolded(true)}>
          {texts.more(entries.length - shown.length)}
        </button>
      )}
    </div>
  );
}
