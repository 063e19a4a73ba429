import { type AskState, type Flow, type Language, type Stored, type Style, wordsOf } from "../flow/flow.ts";
import { isWait, isWork } from "../flow/graph.ts";
import type { Source } from "../flow/outgoing.ts";
import { writePayload } from "../flow/payload.ts";
import { type Formatted, laidOut, type Text } from "../flow/text.ts";
import type { ScreenButton } from "../messenger.ts";
import type { EngineTexts } from "../texts/index.ts";

/** The engine's own buttons; a flow's ids never begin with `!`. */
export const own = { back: "!back", cancel: "!cancel", keep: "!keep", fresh: "!new" } as const;

export interface Scene<Services> {
  readonly flow: Flow<Services>;
  readonly state: string;
  readonly data: Stored;
  readonly trail: readonly string[];
}

/** A screen before its picture is fetched. */
export interface StoredScreen extends Formatted {
  readonly rows: readonly (readonly ScreenButton[])[];
  readonly picture?: Source | undefined;
}

interface Rendering {
  readonly language: Language;
  readonly say: EngineTexts;
  readonly revision: number;
  readonly notice?: Text | undefined;
  /** In place of the state's own words: how far it is. */
  readonly asked?: Text | undefined;
}

/** The screen of a state: a notice, the question, its buttons, and the engine's buttons below them. */
export function render<Services>(
  { flow, state: name, data, trail }: Scene<Services>,
  { language, say, revision, notice, asked }: Rendering,
): StoredScreen {
  const state = flow.states[name];
  if (!state) throw new Error(`${flow.name} has no state ${name}`);
  const words = laidOut(notice, asked ?? wordsOf(state.ask, data, language));
  if (isWork(state)) return { ...words, rows: [] };
  const button = (id: string, label: string, arg = "", style?: Style): ScreenButton => ({
    label,
    payload: writePayload({ revision, id, arg }),
    ...(style && { style }),
  });
  const rows = new Map<string, ScreenButton[]>();
  for (const [id, { label, each, when, row, columns = 1, style }] of Object.entries(state.buttons ?? {})) {
    if (when && !when(data)) continue;
    if (id === "cancel" && !isWait(state)) continue;
    const items = each
      ? each(data, language).map((item) => button(id, item.label, item.arg, style))
      : [button(id, wordsOf(label, data, language), "", style)];
    items.forEach((item, index) => {
      const key = row === undefined ? `${id}.${Math.floor(index / columns)}` : `row ${row}`;
      rows.set(key, [...(rows.get(key) ?? []), item]);
    });
  }
  const links = (state.links ?? [])
    .filter(({ when }) => when?.(data) ?? true)
    .map((link): ScreenButton[] => [
      {
        label: wordsOf(link.label, data, language),
        ...("url" in link ? { url: link.url(data) } : { copy: copyable(link.copy(data)) }),
        ...(link.style && { style: link.style }),
      },
    ]);
  const below = isWait(state) ? [] : controls(state);
  const picture = isWait(state) ? undefined : state.picture?.(data);
  return {
    ...words,
    rows: [...links, ...rows.values(), ...(below.length > 0 ? [below] : [])],
    ...(picture && { picture }),
  };

  function controls({ noBack, noCancel, buttons }: AskState<Stored, string, Services>): ScreenButton[] {
    const cancel = buttons?.cancel;
    return [
      ...(trail.length > 0 && !noBack ? [button(own.back, say.back)] : []),
      ...(cancel && (cancel.when?.(data) ?? true)
        ? [button("cancel", wordsOf(cancel.label, data, language), "", cancel.style)]
        : []),
      ...(flow.rivals === "yield" || noCancel || cancel
        ? []
        : [button(own.cancel, flow.cancelLabel?.[language] ?? say.cancel)]),
    ];
  }
}

/** Telegram copies at most 256 characters. */
const longestCopy = 256;

export function copyable(text: string): string {
  const length = [...text].length;
  if (length === 0 || length > longestCopy)
    throw new RangeError(`a button copies 1 to ${longestCopy} characters, not ${length}`);
  return text;
}

/** Whether the person was shown this button; otherwise the tap is forged. */
export function wasShown(screen: StoredScreen, payload: string): boolean {
  return screen.rows.flat().some((button) => button.payload === payload);
}
