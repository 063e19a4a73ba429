import { type Flow, type Language, type Stored, wordsOf } from "../flow/flow.ts";
import { isWork } from "../flow/graph.ts";
import { writePayload } from "../flow/payload.ts";
import { laidOut, type Text } from "../flow/text.ts";
import type { Screen, ScreenButton } from "../messenger.ts";
import { texts } from "../texts/index.ts";

/** The engine's own buttons; a flow's ids never begin with `!`. */
export const own = { back: "!back", cancel: "!cancel", keep: "!keep", fresh: "!new" } as const;

export interface Scene<Services> {
  readonly flow: Flow<Services>;
  readonly state: string;
  readonly data: Stored;
  readonly trail: readonly string[];
}

/** The screen of a state: a notice, the question, its buttons, and the engine's buttons below them. */
export function render<Services>(
  { flow, state: name, data, trail }: Scene<Services>,
  { language, revision, notice }: { language: Language; revision: number; notice?: Text | undefined },
): Screen {
  const state = flow.states[name];
  if (!state) throw new Error(`${flow.name} has no state ${name}`);
  const words = laidOut(notice, wordsOf(state.ask, data, language));
  if (isWork(state)) return { ...words, rows: [] };
  const say = texts[language];
  const button = (id: string, label: string, arg = ""): ScreenButton => ({
    label,
    payload: writePayload({ revision, id, arg }),
  });
  const rows = new Map<string, ScreenButton[]>();
  for (const [id, { label, each, when, row }] of Object.entries(state.buttons ?? {})) {
    if (when && !when(data)) continue;
    const items = each
      ? each(data, language).map((item) => button(id, item.label, item.arg))
      : [button(id, wordsOf(label, data, language))];
    items.forEach((item, index) => {
      const key = row === undefined ? `${id}.${index}` : `row ${row}`;
      rows.set(key, [...(rows.get(key) ?? []), item]);
    });
  }
  const links = (state.links ?? []).map(({ label, url }) => [
    { label: wordsOf(label, data, language), url: url(data) },
  ]);
  const controls = [
    ...(trail.length > 0 && !state.noBack ? [button(own.back, say.back)] : []),
    ...(flow.rivals === "yield" || state.noCancel ? [] : [button(own.cancel, say.cancel)]),
  ];
  return { ...words, rows: [...links, ...rows.values(), ...(controls.length > 0 ? [controls] : [])] };
}

/** Whether the person was shown this button; otherwise the tap is forged. */
export function wasShown(screen: Screen, payload: string): boolean {
  return screen.rows.flat().some((button) => button.payload === payload);
}
