import { z } from "zod";
import { defaultTexts, languages } from "../texts/index.ts";
import { parseModes, text } from "./fields.ts";
import { buttons } from "./rule.ts";

const answer = text(4000);
const minutes = z
  .int()
  .min(1)
  .max(7 * 24 * 60);

/** The head of a rule file: everything but the rules. What is left out has the language's own words. */
export const settingsShape = z.strictObject({
  title: text(200),
  language: z.enum(languages).default("ru"),
  parse_mode: z.enum(parseModes).default("None").describe("The markup of answers"),
  state_minutes: minutes.default(30).describe("How long an unfinished conversation is remembered"),
  max_turns: z.int().min(2).max(50).default(5).describe("For a conversation in which no rule speaks"),
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
        .describe("How many misses in a row call a person; null: never"),
    })
    .prefault({}),
  escalation: z
    .strictObject({
      text: answer.optional(),
      nobody_text: answer.optional().describe("Said instead where no operators' group is set"),
      buttons: buttons.default([]),
    })
    .prefault({})
    .describe("What is said when a person is called"),
  operators: z
    .strictObject({
      return_minutes: minutes
        .default(30)
        .describe("After so long without a word the chat is the bot's again"),
      returned_text: answer.optional(),
      answer_minutes: minutes
        .default(10)
        .describe("After so long without an answer the customer is told and the operators are reminded"),
      unanswered_text: answer.optional().describe("What the customer is told then"),
      nobody_came_text: answer.optional().describe("What the customer hears when the call ends unanswered"),
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
    .describe("How fast one chat may write; what comes faster is kept but not answered"),
});

type Given = z.infer<typeof settingsShape>;
export type GivenSettings = z.input<typeof settingsShape>;

/** Settings with every word in place. */
export interface Settings extends Given {
  readonly fallback: Given["fallback"] & { readonly text: string };
  readonly escalation: Given["escalation"] & { readonly text: string; readonly nobody_text: string };
  readonly operators: Given["operators"] & {
    readonly returned_text: string;
    readonly unanswered_text: string;
    readonly nobody_came_text: string;
  };
  readonly flood: Given["flood"] & { readonly text: string };
  readonly expired_text: string;
  readonly stale_button_text: string;
  readonly pressed_text: string;
}

export function settingsOf(given: unknown): Settings {
  const settings = settingsShape.parse(given);
  const words = defaultTexts[settings.language];
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
}
