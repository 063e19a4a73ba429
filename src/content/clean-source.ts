import { cleanText } from "./clean-text.ts";
import { createRepairLog, type RepairLog } from "./problem.ts";

/** A source without hidden characters, for parsers that read it character by character. */
export interface CleanSource {
  readonly text: string;
  /** Takes places of the clean text and reports them as places of the original. */
  readonly log: RepairLog;
  /** Maps an offset of the clean text to the original. */
  original(offset: number): number;
}

export function cleanSource(source: string): CleanSource {
  const log = createRepairLog(source);
  /** What was removed, in order, by its place in the original. */
  const gaps: { index: number; length: number }[] = [];
  const text = cleanText(
    source,
    (index, length) => {
      gaps.push({ index, length });
      log.add("characters_removed", index);
    },
    (index) => gaps.push({ index: index + 1, length: 1 }),
  );
  const original = (offset: number) => {
    let place = offset;
    for (const { index, length } of gaps) {
      if (index > place) break;
      place += length;
    }
    return place;
  };
  return {
    text,
    original,
    log: {
      repairs: log.repairs,
      add: (code, offset) => log.add(code, offset === undefined ? undefined : original(offset)),
    },
  };
}
