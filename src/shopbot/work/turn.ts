import { z } from "zod";
import type { Patience } from "../engine/flood-limit.ts";
import { contextShape, type Situation } from "../model/context.ts";
import { type Message, messageShape } from "../model/message.ts";
import type { BotTexts } from "../texts/index.ts";

/** Enough to put the message aside if the rest cannot be read. */
export const turnKey = z.object({
  workspace_id: z.string(),
  provider: z.string(),
  chat_id: z.string(),
  provider_message_id: z.string(),
});
export type TurnKey = z.output<typeof turnKey>;

/** A message with the state of its chat. */
export const turnShape = turnKey.extend({
  ts: z.date(),
  body: messageShape,
  trace_id: z.string(),
  revision: z.number(),
  state: z.string(),
  context: contextShape,
  expires_at: z.date().nullable(),
  tokens: z.number().nullable(),
  refilled_at: z.date().nullable(),
  flooded: z.boolean(),
  about_chat_id: z.string().nullable(),
});
export type Turn = z.output<typeof turnShape>;

export function situationOf({ state, context, expires_at }: Turn): Situation {
  return { state, context, expiresAt: expires_at };
}

export function patienceOf({ tokens, refilled_at, flooded }: Turn): Patience | undefined {
  return tokens === null || refilled_at === null ? undefined : { tokens, refilledAt: refilled_at, flooded };
}

/** A message as one line for logs and operators. */
export function shownText({ kind, text, label, press, attachments }: Message, words: BotTexts): string {
  if (kind === "start") return "/start";
  if (kind === "press") return `▸ ${label ?? press ?? ""}`;
  const things = attachments.map(({ type }) => words.attachments[type] ?? words.attachments.other ?? "");
  return [text, ...things].filter(Boolean).join(" ");
}
