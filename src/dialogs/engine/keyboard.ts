/** The keyboard below the chat: what this person has, and which label a text is. */
import type { BotKeyboard, KeyboardLabel } from "../flow/keyboard.ts";
import { laidOut } from "../flow/text.ts";
import type { ReplyKeyboard } from "../messenger.ts";
import type { Next, Said } from "./dialogue.ts";
import type { Situation } from "./situation.ts";

/** Where the label leads, in whichever language it was sent; undefined if this person has no such label. */
export async function labelled<Services>(
  text: string,
  { keyboard, visit }: Situation<Services>,
): Promise<KeyboardLabel<Services>["to"] | undefined> {
  const word = text.trim();
  for (const key of keyboard?.rows.flat() ?? [])
    if ((key.label.ru === word || key.label.en === word) && ((await key.when?.(visit)) ?? true))
      return key.to;
  return undefined;
}

/**
 * Adds the keyboard to the step if the chat has another one or none. It travels with a text that has no buttons; a screen
 * has its own.
 */
export async function withKeyboard<Services>(next: Next, situation: Situation<Services>): Promise<Next> {
  const { keyboard, dialogue, moment } = situation;
  if (!keyboard) return next;
  const wanted = await keyboardOf(keyboard, situation);
  if (JSON.stringify(wanted) === JSON.stringify(dialogue.keyboard ?? [])) return next;
  const index = next.says.findIndex((said) => "text" in said && !said.rows);
  const bearer = next.says[index];
  const says: Said[] =
    bearer && "text" in bearer
      ? next.says.with(index, { ...bearer, keyboard: wanted })
      : [{ ...laidOut(keyboard.text[moment.language]), keyboard: wanted }, ...next.says];
  return { ...next, says, keyboard: wanted };
}

async function keyboardOf<Services>(
  { rows }: BotKeyboard<Services>,
  { visit, moment: { language } }: Situation<Services>,
): Promise<ReplyKeyboard> {
  const shown: { label: string; style?: KeyboardLabel<Services>["style"] }[][] = [];
  for (const row of rows) {
    const keys: { label: string; style?: KeyboardLabel<Services>["style"] }[] = [];
    for (const { label, style, when } of row)
      if ((await when?.(visit)) ?? true) keys.push({ label: label[language], ...(style && { style }) });
    if (keys.length > 0) shown.push(keys);
  }
  return shown;
}
