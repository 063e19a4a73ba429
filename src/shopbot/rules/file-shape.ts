import { z } from "zod";
import { chosenName, text } from "../model/fields.ts";
import { acceptKinds, buttons, photo } from "../model/rule.ts";
import { settingsShape } from "../model/settings.ts";

const template = text(16_000);

/** One rule as people write it. */
export const ruleEntry = z.strictObject({
  id: chosenName,
  intent: text(100).optional().describe("For statistics; the id unless given"),
  keywords: z.array(text(100)).max(200).default([]).describe("Any of them, anywhere in the message"),
  state: chosenName
    .refine(
      (state) => state !== "default" && state !== "operator",
      "default and operator are not a rule's own",
    )
    .optional()
    .describe("Speaks only there; without keywords it takes everything"),
  on: z
    .enum(["start", "attachment"])
    .optional()
    .describe("Speaks when the bot is started, or to a lone photo"),
  interrupts: z.boolean().default(false).describe("Is looked at before the rules of any state"),
  priority: z.int().min(0).max(1_000_000).default(100).describe("The lowest is looked at first"),
  max_turns: z.int().min(2).max(50).default(5),
  accepts: z.enum(acceptKinds).optional().describe("What the customer has to say"),
  save_as: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/, "Small Latin letters, digits and _, beginning with a letter")
    .optional()
    .describe("The name under which templates find it"),
  refuse: template.optional().describe("What is said when it is something else"),
  answer: template,
  next_state: chosenName.optional(),
  escalate: z.boolean().default(false).describe("Calls a person"),
  buttons: buttons.default([]),
  media: z.array(photo).max(10).default([]),
});
export type RuleEntry = z.output<typeof ruleEntry>;

/** One line of an example dialogue. */
export const dialogueLine = z.union([
  z.strictObject({ customer: z.string().max(4000) }),
  z.strictObject({ press: text(128).describe("What is written on a button of the bot's last answer") }),
  z.strictObject({ attach: z.enum(["image", "video", "audio", "file", "sticker", "contact", "location"]) }),
  z.strictObject({ start: z.literal(true) }),
  z.strictObject({ wait: z.int().min(1).max(100_000).describe("Minutes that pass") }),
  z.strictObject({ bot: text(4000).describe("Stands in the bot's answer"), rule: chosenName.optional() }),
  z.strictObject({ silence: z.literal(true) }),
]);
export type DialogueLine = z.output<typeof dialogueLine>;

export const dialogue = z.strictObject({ name: text(200), lines: z.array(dialogueLine).min(1).max(200) });
export type Dialogue = z.output<typeof dialogue>;

/** The whole rule file. */
export const fileShape = z.strictObject({
  bot: settingsShape,
  rules: z.array(ruleEntry).min(1).max(1000),
  dialogues: z.array(dialogue).max(1000).default([]),
});
export type RuleFile = z.output<typeof fileShape>;
