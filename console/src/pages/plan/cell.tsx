import { type ReactNode, useState } from "react";
import { usePageTexts } from "../../texts/index.ts";
import { dragType, EntryChip, isEntryDrag } from "./entry-chip.tsx";
import type { Entry } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export interface CalendarProps {
  readonly days: readonly string[];
  readonly today: string;
  readonly entries: readonly Entry[];
  readonly mayMove: boolean;
  readonly onOpen: (entry: Entry) => void;
  /** Shows all entries of a day or an hour that are too many for its cell. */
  readonly onUnfold: (title: string, entries: readonly Entry[]) => void;
  readonly onDrop: (entryId: string, place: { readonly day: string; readonly hour?: number }) => void;
}

interface Props extends Pick<CalendarProps, "entries" | "mayMove" | "onOpen" | "onUnfold"> {
  readonly className?: string;
  /** The day, or the day and hour, in words. */
  readonly name: string;
  /** So many entries are shown; the others are behind one button. */
  readonly most: number;
  readonly onDrop: (entryId: string) => void;
  readonly children?: ReactNode;
}

/** A place of the calendar that shows its entries and takes those that are dropped on it. */
export function Cell({ className = "", name, most, entries, mayMove, children, ...acts }: Props) {
  const texts = usePageTexts({ ru, en });
  const [over, setOver] = useState(false);
  const shown = entries.length > most ? entries.slice(0, most) : entries;
  const folded = entries.length - shown.length;
  return (
    <td
      className={`cell ${className} ${over ? "over" : ""}`}
      data-place={name}
      onDragOver={(event) => {
        if (!isEntryDrag(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const id = event.dataTransfer.getData(dragType);
        if (id === "") return;
        event.preventDefault();
        acts.onDrop(id);
      }}
    >
      <div className="cell-entries">
        {children}
        {shown.map((entry) => (
          <EntryChip key={`${entry.kind} ${entry.id}`} entry={entry} mayMove={mayMove} onOpen={acts.onOpen} />
        ))}
        {folded > 0 && (
          <button
            type="button"
            className="cell-more"
            aria-label={texts.moreOf(folded, name)}
            onClick={() => acts.onUnfold(name, entries)}
          >
            {texts.more(folded)}
          </button>
        )}
      </div>
    </td>
  );
}
