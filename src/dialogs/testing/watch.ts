/** What a person must never meet: a screen without a way on, a text too long for a message, words in the wrong language, a button that leads nowhere. */
import type { StoredScreen } from "../engine/render.ts";
import { own, render } from "../engine/render.ts";
import { sceneOf } from "../engine/situation.ts";
import type { Both, Flow } from "../flow/flow.ts";
import { isAsk, isWork } from "../flow/graph.ts";
import { readPayload } from "../flow/payload.ts";
import { type Route, readFlowAddress, screenBook } from "../flow/screens.ts";
import { texts } from "../texts/index.ts";
import type { Person } from "./harness.ts";

export interface WatchSettings<Services> {
  readonly flows: readonly Flow<Services>[];
  readonly screens?: readonly Route<Services>[];
  /** Names and other words that are the same in all languages. */
  readonly names?: readonly (string | RegExp)[];
  /** Whether these words are somebody's data, which nobody translates. */
  isData?(words: string): boolean;
}

export interface Watch {
  /** Each once, in the order in which they were found. */
  readonly faults: readonly string[];
  /** Looks at what the person is shown now. */
  look(person: Person, where: string): Promise<void>;
  /** The same for a dialogue that was read already. */
  see(row: Record<string, unknown>, where: string): void;
  /** Looks at a screen and its buttons, of which the person's place decides what they may do. */
  inspect(where: string, screen: Pick<StoredScreen, "text" | "rows">, place?: Shown): void;
  /** Compares what two people with different languages are shown. `data` is what they or others have written. */
  compare(where: string, screens: Both<Words>, data?: readonly string[]): void;
  report(fault: string): void;
}

/** A screen as it is read. */
export type Words = Pick<StoredScreen, "text" | "rows">;

/** Where the dialogue stands while this is shown. */
export interface Shown {
  readonly flow: string | null;
  readonly state: string | null;
  /** Another flow waits for the person's choice. */
  readonly rival?: unknown;
}

const longest = 4_096;
const nowhere: Shown = { flow: null, state: null };

export function createWatch<Services>({
  flows,
  screens = [],
  names = [],
  isData = () => false,
}: WatchSettings<Services>): Watch {
  const book = screenBook(screens);
  const flowOf = new Map(flows.map((flow) => [flow.name, flow]));
  const faults = new Set<string>();

  /** Whether somebody answers a tap with this payload. */
  function leadsOn(payload: string, { flow, state }: Shown): boolean {
    if (readFlowAddress(payload) || book.find(payload)) return true;
    const pressed = readPayload(payload);
    // A flow that is not watched knows its own buttons.
    if (flow !== null && !flowOf.has(flow)) return pressed !== undefined;
    const here = flow === null || state === null ? undefined : flowOf.get(flow)?.states[state];
    if (!pressed || !here || isWork(here)) return false;
    const ours: readonly string[] = Object.values(own);
    return ours.includes(pressed.id) || here.buttons?.[pressed.id] !== undefined;
  }

  /** What is waited for comes by itself. */
  function goesOnAlone({ flow, state }: Shown): boolean {
    const here = flow === null || state === null ? undefined : flowOf.get(flow)?.states[state];
    return here !== undefined && !isAsk(here);
  }

  const watch: Watch = {
    get faults() {
      return [...faults];
    },
    report: (fault) => void faults.add(fault),
    inspect(where, { text, rows }, place = nowhere) {
      const buttons = rows.flat();
      if (text.length > longest) watch.report(`${where}: a text of ${text.length} characters`);
      if (text.trim() === "") watch.report(`${where}: no text`);
      if (!buttons.some(({ payload }) => payload !== undefined) && !goesOnAlone(place))
        watch.report(`${where}: no way on`);
      for (const { label, payload } of buttons) {
        if (payload !== undefined && !leadsOn(payload, place))
          watch.report(`${where}: [${label}] leads nowhere, to ${payload}`);
        if (label.trim() === "") watch.report(`${where}: a button without a label`);
      }
      for (const words of [text, ...buttons.map(({ label }) => label)])
        for (const line of words.split("\n"))
          if (isRaw(line, names)) watch.report(`${where}: “${line}” is no text for people`);
    },
    compare(where, { ru, en }, data = []) {
      const known = [...names, ...data];
      const russian = new Set([...ru.text.split("\n"), ...ru.rows.flat().map(({ label }) => label)]);
      for (const line of [...en.text.split("\n"), ...en.rows.flat().map(({ label }) => label)])
        if (russian.has(line) && wordsIn(line, known).some((words) => !isData(words)))
          watch.report(`${where}: “${line}” is not translated`);
    },
    look: async (person, where) => watch.see(await person.row(), where),
    see(row, where) {
      const place = placeOf(row);
      watch.inspect(where, screenIn(row), place);
      const scene = sceneOf({ ...place, data: row.data, trail: row.trail } as never, flowOf);
      if (!scene || place.rival) return;
      const rendering = { revision: 0 };
      const inBoth = {
        ru: render(scene, { ...rendering, language: "ru", say: texts.ru }),
        en: render(scene, { ...rendering, language: "en", say: texts.en }),
      };
      watch.compare(`${place.flow}.${place.state}`, inBoth, stringsIn(scene.data));
    },
  };
  for (const flow of flows) fixedTexts(flow.name, flow, watch);
  return watch;
}

export function placeOf(row: Record<string, unknown>): Shown {
  const { flow, state, rival } = row as unknown as Shown;
  return { flow, state, rival };
}

export function screenIn({ screen }: Record<string, unknown>): StoredScreen {
  return (screen ?? { text: "", rows: [], marks: [] }) as StoredScreen;
}

/** Fixed texts of a flow, wherever they stand in it. */
function fixedTexts(where: string, value: unknown, watch: Watch): void {
  if (typeof value !== "object" || value === null || "_zod" in value) return;
  const { ru, en } = value as Partial<Both<unknown>>;
  if (typeof ru === "string" && typeof en === "string")
    watch.compare(where, { ru: { text: ru, rows: [] }, en: { text: en, rows: [] } });
  for (const [name, each] of Object.entries(value)) fixedTexts(`${where}.${name}`, each, watch);
}

/** Keys of texts, and what code shows of values that it did not expect. */
const raw = /^[a-z]\w*(?:\.\w+)+$|\bundefined\b|\bNaN\b|\[object |\$\{/;

function isRaw(line: string, names: readonly (string | RegExp)[]): boolean {
  return raw.test(line) && wordsIn(line, names).length > 0;
}

/** The words beside names, in pieces as punctuation and signs part them. */
function wordsIn(line: string, names: readonly (string | RegExp)[]): string[] {
  let rest = line;
  for (const name of names.toSorted((one, other) => String(other).length - String(one).length))
    rest = rest.replaceAll(typeof name === "string" ? name : new RegExp(name, "gu"), " ");
  return rest
    .split(/[^\p{L}\p{N}\s,.'’-]+/u)
    .map((words) => words.trim())
    .filter((words) => /\p{L}{2}/u.test(words));
}

/** Whatever the flow has stored: its lines are data wherever they are shown. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value, ...value.split("\n")].filter((each) => each.trim() !== "");
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
