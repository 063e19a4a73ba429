import { z } from "zod";
import { badRequest } from "./api-error.ts";
import { limits } from "./limits.ts";
import type { Button, ChatType, Keyboard } from "./model.ts";
import { codePoints } from "./text/index.ts";
import { checkedLink } from "./text/link.ts";

const markupShape = z.looseObject({
  inline_keyboard: z.unknown().optional(),
  keyboard: z.unknown().optional(),
  remove_keyboard: z.boolean().optional(),
  force_reply: z.boolean().optional(),
});
const rowsShape = z.array(z.array(z.unknown()));
const buttonShape = z.looseObject({
  text: z.string(),
  url: z.string().optional(),
  callback_data: z.string().optional(),
  copy_text: z.object({ text: z.string() }).optional(),
  style: z.string().optional(),
});

/** Any of these makes an inline button valid. */
const actions = [
  "url",
  "callback_data",
  "copy_text",
  "web_app",
  "login_url",
  "switch_inline_query",
  "switch_inline_query_current_chat",
  "switch_inline_query_chosen_chat",
  "callback_game",
  "pay",
] as const;
const styles = ["danger", "success", "primary"];

/** The `reply_markup` of a request. A keyboard without rows removes the one below the chat. */
export function readKeyboard(markup: unknown, chat: ChatType): Keyboard | undefined {
  if (markup === undefined) return undefined;
  const parsed = markupShape.safeParse(markup);
  if (!parsed.success) throw badRequest("object expected as reply markup");
  const { inline_keyboard, keyboard } = parsed.data;
  if (inline_keyboard !== undefined) {
    return keyboardOf(
      true,
      rowsOf(inline_keyboard, "inline keyboard").map((row) => row.map(inlineButton)),
    );
  }
  if (chat === "channel" && Object.keys(parsed.data).length > 0) throw badRequest("inline keyboard expected");
  if (parsed.data.remove_keyboard) return { inline: false, rows: [] };
  if (keyboard === undefined) return undefined;
  return keyboardOf(
    false,
    rowsOf(keyboard, "keyboard").map((row) => row.map(replyButton)),
  );
}

function keyboardOf(inline: boolean, rows: Button[][]): Keyboard | undefined {
  const filled = rows.filter((row) => row.length > 0);
  return filled.length === 0 ? undefined : { inline, rows: filled };
}

function rowsOf(value: unknown, what: string): unknown[][] {
  const rows = rowsShape.safeParse(value);
  if (!rows.success)
    throw badRequest(`field "${what.replace(" ", "_")}" of the ReplyMarkup must be an Array of Arrays`);
  return rows.data;
}

function inlineButton(value: unknown): Button {
  const button = buttonOf(value, "inline keyboard button");
  if (!actions.some((action) => button[action] !== undefined)) {
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  }
  if (button.text.trim() === "") throw badRequest("inline keyboard button text must be non-empty");
  if (button.callback_data !== undefined) {
    const bytes = Buffer.byteLength(button.callback_data);
    if (bytes < 1 || bytes > limits.callbackDataBytes) throw badRequest("BUTTON_DATA_INVALID");
  }
  if (button.url !== undefined && checkedLink(button.url) === undefined) {
    throw badRequest(`inline keyboard button URL '${button.url}' is invalid: Wrong HTTP URL`);
  }
  if (button.copy_text) {
    const length = codePoints(button.copy_text.text);
    if (length < 1 || length > limits.copyText) throw badRequest("BUTTON_COPY_TEXT_INVALID");
  }
  return kept(button);
}

function replyButton(value: unknown): Button {
  const button = typeof value === "string" ? { text: value } : buttonOf(value, "keyboard button");
  if (button.text.trim() === "") throw badRequest("keyboard button text must be non-empty");
  return kept(button);
}

function buttonOf(value: unknown, what: string) {
  const parsed = buttonShape.safeParse(value);
  if (parsed.success) {
    if (parsed.data.style !== undefined && !styles.includes(parsed.data.style)) {
      throw badRequest(`can't parse ${what}: Invalid button style specified`);
    }
    return parsed.data;
  }
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  if (field === "") throw badRequest(`can't parse ${what}: Object expected`);
  const missing = field === "text" && typeof value === "object" && value !== null && !("text" in value);
  throw badRequest(
    missing
      ? `can't parse ${what}: Can't find field "text"`
      : `can't parse ${what}: Field "${field}" must be of another type`,
  );
}

function kept(button: z.infer<typeof buttonShape>): Button {
  const { url, callback_data, style, ...rest } = button;
  return {
    ...rest,
    ...(url !== undefined && { url: checkedLink(url) ?? url }),
    ...(callback_data !== undefined && { callback_data }),
    ...(style !== undefined && { style }),
  };
}
