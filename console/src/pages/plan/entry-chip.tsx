import { type DragEvent, memo } from "react";
import { locale } from "../../preferences/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { isMovable, noteWords, timeOf, zoneMark } from "./entry-words.ts";
import type { Entry } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly entry: Entry;
  readonly mayMove: boolean;
  readonly onOpen: (entry: Entry) => void;
}

/** The type under which a dragged entry travels, so that files and text dropped here are left alone. */
export const dragType = "application/x-molva-entry";

export function isEntryDrag(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(dragType);
}

/** One entry of the calendar: opened by a press, moved by dragging. */
export const EntryChip = memo(function EntryChip({ entry, mayMove, onOpen }: Props) {
  const texts = usePageTexts({ ru, en });
  const platforms: Readonly<Record<string, string>> = useTexts().platforms;
  const language = locale.use();
  const zone = zoneMark(entry, language);
  const movable = mayMove && isMovable(entry);
  const { title, platform } = entry.channel;
  const platformName = platforms[platform] ?? platform;
  return (
    <button
      type="button"
      className={`entry platform-${platform in platforms ? platform : "other"} ${noteWords(entry, texts) ? "doubtful" : ""}`}
      draggable={movable}
      title={movable ? texts.move.howTo : undefined}
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, entry.id);
        event.dataTransfer.effectAllowed = "move";
      }}
      onClick={() => onOpen(entry)}
    >
      <span className="entry-head">
        <time dateTime={entry.at}>{timeOf(entry)}</time>
        {zone && <span className="entry-zone">{zone}</span>}
        <span className="unseen">{platformName}</span>
        <span className="entry-channel">{title ?? platformName}</span>
      </span>
      <span className="entry-text">{entry.title || texts.noText}</span>
    </button>
  );
});
