import type { Button, LossLog } from "../../content/index.ts";
import type { SendError } from "../contract.ts";
import { invalid, tooLong } from "../send-error.ts";
import { keyboardLimits as limits } from "./limits.ts";

export type KeyboardResult =
  | { readonly ok: true; readonly attachments: readonly Record<string, unknown>[] }
  | { readonly ok: false; readonly error: SendError };

/** Rows of links as MAX's keyboard. A row holds three links, so longer rows are split. */
export function keyboardOf(rows: readonly (readonly Button[])[], losses: LossLog): KeyboardResult {
  if (rows.length === 0) return { ok: true, attachments: [] };
  const fitting = rows.flatMap((row) => chunks(row, limits.linksPerRow));
  if (fitting.length > rows.length) losses.add("button_rows");
  const error = problemIn(fitting);
  if (error) return { ok: false, error };
  const buttons = fitting.map((row) => row.map(({ text, url }) => ({ type: "link", text, url })));
  return { ok: true, attachments: [{ type: "inline_keyboard", payload: { buttons } }] };
}

/** A button of a bot: it sends a payload to the bot, or opens an address. */
export type BotButton =
  | { readonly text: string; readonly payload: string }
  | { readonly text: string; readonly url: string };

/** Rows of a bot's buttons, which were validated when they were saved. */
export function botKeyboard(rows: readonly (readonly BotButton[])[]): readonly Record<string, unknown>[] {
  if (rows.length === 0) return [];
  const buttons = rows.map((row) =>
    row.map((button) =>
      "url" in button
        ? { type: "link", text: button.text, url: button.url }
        : { type: "callback", text: button.text, payload: button.payload },
    ),
  );
  return [{ type: "inline_keyboard", payload: { buttons } }];
}

function problemIn(rows: readonly (readonly Button[])[]): SendError | undefined {
  const buttons = rows.flat();
  if (rows.length > limits.rows)
    return invalid(`${rows.length} rows of buttons are too many, at most ${limits.rows} fit`);
  if (buttons.length > limits.buttons)
    return invalid(`${buttons.length} buttons are too many, at most ${limits.buttons} fit`);
  for (const { text, url } of buttons) {
    if (text.length > limits.text)
      return tooLong("a button's text", { length: text.length, limit: limits.text });
    if (url.length > limits.url)
      return tooLong("a button's address", { length: url.length, limit: limits.url });
  }
  return undefined;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
