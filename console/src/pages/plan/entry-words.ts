import { Refused } from "../../api/index.ts";
import type { Locale } from "../../preferences/index.ts";
import type { Texts } from "../../texts/index.ts";
import { wordsOf } from "../../ui/index.ts";
import { ownZone } from "./days.ts";
import type { Entry } from "./shapes.ts";
import type { ru } from "./texts.ru.ts";

export type Kind = "all" | "posts" | "seo" | "objects";
export const kinds: readonly Kind[] = ["all", "posts", "seo", "objects"];

const kindOf: Readonly<Record<Entry["kind"], Kind>> = {
  delivery: "posts",
  article: "seo",
  post: "seo",
  object: "objects",
};

export function groupedBy(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return groups;
}

export function isOfKind({ kind }: Entry, wanted: Kind): boolean {
  return wanted === "all" || kindOf[kind] === wanted;
}

export const timeOf = (entry: Entry) => entry.local.slice(11, 16);
export const dayOf = (entry: Entry) => entry.local.slice(0, 10);

/** The name of the entry's zone, unless it is the browser's own. */
export function zoneMark({ at, zone }: Pick<Entry, "at" | "zone">, language: Locale): string | undefined {
  if (zone === ownZone()) return undefined;
  return new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: "short" })
    .formatToParts(new Date(at))
    .find(({ type }) => type === "timeZoneName")?.value;
}

/** Only a post that waits for its time can be given another one. */
export function isMovable({ delivery }: Entry): boolean {
  return delivery !== null && (delivery.status === "queued" || delivery.status === "retry");
}

export function reasonWords(reason: string, texts: typeof ru): string {
  const known: Readonly<Record<string, string>> = texts.reasons;
  return known[reason] ?? reason;
}

/** What may keep it back, in the words of the page where it has them. */
export function noteWords({ note, delivery }: Entry, texts: typeof ru): string | undefined {
  const fates: Readonly<Record<string, string>> = texts.fates;
  const notes: Readonly<Record<string, string>> = texts.notes;
  const fate = delivery && fates[delivery.fate];
  return fate ?? (note === null ? undefined : (notes[note] ?? note));
}

/** The server's refusal of a new time, in the page's language where it is a known one. */
export function refusalWords(error: unknown, texts: typeof ru, common: Texts): string {
  const detail = error instanceof Refused ? error.problem.detail : undefined;
  const known = Object.entries(texts.refusals).find(([words]) => detail?.includes(words));
  if (known) return known[1];
  return error instanceof Error ? wordsOf(error, common) : common.faults.unexpected;
}
