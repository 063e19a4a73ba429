import { z } from "zod";
import { defileErrorTexts, languages } from "../texts/index.ts";
import { parseModes, text } from "./fields.ts";
import { buttons } from "./rule.ts";

const answer = text(4000);
const minutes = z
  .int()
  .min(1)
  .max(7 * 24 * 60);

/** Everything in a rule file but the rules. Missing texts are filled in by language. */
export const settingsShape = z.strictObject({
  title: text(200),
  language: z.enum(languages).default("ru"),
  parse_mode: z.enum(parseModes).default("None").describe("The markup of answers"),
  state_minutes: minutes.default(30).describe("How long an unfinished conversation is remembered"),
  max_turns: z.int().min(2).max(50).default(5).describe("For a conversation in which no rule matches"),
  variables: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), z.union([z.string().max(2000), z.number()]))
    .default({})
    .describe("Values that answers may use, such as {{ phone }}"),
  fallback: z
    .strictObject({
      text: answer.optional(),
      buttons: buttons.default([]),
      escalate_after: z
        .int()
        .min(1)
        .max(20)
        .nullable()
        .default(3)
        .describe("Unanswered questions in a row that call an operator; null: never"),
    })
    .prefault({}),
  escalation: z
    .strictObject({
      text: answer.optional(),
      nobody_text: answer.optional().describe("Used instead if no operators' group is set"),
      buttons: buttons.default([]),
    })
    .prefault({})
    .describe("Texts for calling an operator"),
  operators: z
    .strictObject({
      return_minutes: minutes
        .default(30)
        .describe("After this time without a message the chat returns to the bot"),
      returned_text: answer.optional(),
      answer_minutes: minutes
        .default(10)
        .describe("After this time without an answer the customer is told and operators are reminded"),
      unanswered_text: answer.optional().describe("Sent to the customer then"),
      nobody_came_text: answer.optional().describe("Sent to the customer when the call ends unanswered"),
    })
    .prefault({}),
  expired_text: text(500).optional(),
  stale_button_text: text(200).optional(),
  pressed_text: text(200).optional(),
  flood: z
    .strictObject({
      burst: z.int().min(1).max(1000).default(10),
      per_minute: z.int().min(1).max(6000).default(20),
      text: answer.optional(),
    })
    .prefault({})
    .describe("Rate limit of a chat; faster messages are stored but not answered"),
});

/** Settings with the default texts of their language filled in. */
const filledSettings = settingsShape.transform((settings) => {
  const words = defileErrorTexts[settings.language];
  return {
    ...settings,
    fallback: { ...settings.fallback, text: settings.fallback.text ?? words.fallback },
    escalation: {
      ...settings.escalation,
      text: settings.escalation.text ?? words.escalation,
      nobody_text: settings.escalation.nobody_text ?? words.nobody,
    },
    operators: {
      ...settings.operators,
      returned_text: settings.operators.returned_text ?? words.returned,
      unanswered_text: settings.operators.unanswered_text ?? words.unanswered,
      nobody_came_text: settings.operators.nobody_came_text ?? words.nobodyCame,
    },
    flood: { ...settings.flood, text: settings.flood.text ?? words.flood },
    expired_text: settings.expired_text ?? words.expired,
    stale_button_text: settings.stale_button_text ?? words.staleButton,
    pressed_text: settings.pressed_text ?? words.pressed,
  };
});
export type Settings = z.output<typeof filledSettings>;

export function settingsOf(given: unknown): Settings {
  return filledSettings.parse(given);
}
