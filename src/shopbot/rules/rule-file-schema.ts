import { z } from "zod";
import { chosenName, text } from "../model/fields.ts";
import { acceptKinds, buttons, photo } from "../model/rule.ts";
import { settingsShape } from "../model/settings.ts";

const template = text(16_000);

/** One rule of the file. */
export const ruleEntry = z.strictObject({
  id: chosenName,
  intent: text(100).optional().describe("For statistics; default: the id"),
  keywords: z.array(text(100)).max(200).default([]).describe("Any of them, anywhere in the message"),
  state: chosenName
    .refine((state) => state !== "default" && state !== "operator", "default and operator are reserved")
    .optional()
    .describe("Applies only in this state; without keywords it accepts everything"),
  on: z
    .enum(["start", "attachment"])
    .optional()
    .describe("Applies when the bot is started, or to a photo without text"),
  interrupts: z.boolean().default(false).describe("Checked before the rules of any state"),
  priority: z.int().min(0).max(1_000_000).default(100).describe("The lowest is checked first"),
  max_turns: z.int().min(2).max(50).default(5),
  accepts: z.enum(acceptKinds).optional().describe("The kind of value the customer has to give"),
  save_as: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/, "Small Latin letters, digits and _, beginning with a letter")
    .optional()
    .describe("The value's name in templates"),
  refuse: template.optional().describe("Answer to anything else"),
  answer: template,
  next_state: chosenName.optional(),
  escalate: z.boolean().default(false).describe("Calls an operator"),
  buttons: buttons.default([]),
  media: z.array(photo).max(10).default([]),
});
export type RuleEntry = z.output<typeof ruleEntry>;

export const dialogueLine = z.union([
  z.strictObject({ customer: z.string().max(4000) }),
  z.strictObject({ press: text(128).describe("Label of a button under the bot's last answer") }),
  z.strictObject({ attach: z.enum(["image", "video", "audio", "file", "sticker", "contact", "location"]) }),
  z.strictObject({ start: z.literal(true) }),
  z.strictObject({ wait: z.int().min(1).max(100_000).describe("Minutes") }),
  z.strictObject({ bot: text(4000).describe("Part of the bot's answer"), rule: chosenName.optional() }),
  z.strictObject({ silence: z.literal(true) }),
]);
export type DialogueLine = z.output<typeof dialogueLine>;

export const dialogue = z.strictObject({ name: text(200), lines: z.array(dialogueLine).min(1).max(200) });
export type Dialogue = z.output<typeof dialogue>;

export const fileShape = z.strictObject({
  bot: settingsShape,
  rules: z.array(ruleEntry).min(1).max(1000),
  dialogues: z.array(dialogue).max(1000).default([]),
});
export type RuleFile = z.output<typeof fileShape>;
