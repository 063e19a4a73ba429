import { renderTemplate } from "../../delivery/index.ts";
import type { Context } from "../model/context.ts";
import type { Message } from "../model/message.ts";
import type { Button, Rule } from "../model/rule.ts";
import type { Bot } from "./bot.ts";
import { pressOf } from "./match-rule.ts";

/** A button that sends a payload or opens a URL. */
export type ReplyButton =
  | { readonly text: string; readonly payload: string }
  | { readonly text: string; readonly url: string };

export interface Reply {
  readonly text: string;
  readonly buttons: readonly (readonly ReplyButton[])[];
  readonly media: Rule["media"];
}

interface Wording {
  readonly bot: Bot;
  readonly context: Context;
  readonly message: Message;
}

export type Rendered =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly reply: Reply; readonly error: string };

/** Renders a template. If it fails, the customer gets the fallback text. */
export function reply(
  template: string,
  { buttons = [], media = [] }: { buttons?: Rule["buttons"]; media?: Rule["media"] },
  { bot, context, message }: Wording,
): Rendered {
  const { variables, parse_mode, fallback } = bot.settings;
  const values = {
    ...variables,
    ...context.answers,
    customer: message.sender.name ?? "",
    said: message.text,
  };
  const rendered = renderTemplate({ body: template, defaults: {} }, values, parse_mode);
  const rows = buttons.map((row) => row.map(replyButton));
  if (rendered.ok && rendered.text.trim() !== "")
    return { ok: true, reply: { text: rendered.text, buttons: rows, media } };
  return {
    ok: false,
    reply: { text: fallback.text, buttons: fallback.buttons.map((row) => row.map(replyButton)), media: [] },
    error: rendered.ok ? "the template gave no words" : rendered.error.message,
  };
}

function replyButton(button: Button): ReplyButton {
  return "url" in button ? button : { text: button.text, payload: pressOf(button.press) };
}
