import { z } from "zod";
import type { AdminDeps } from "../../workspaces/index.ts";
import { answerMessage, outcomes } from "../engine/answer-message.ts";
import { pressOf } from "../engine/match-rule.ts";
import { beginning } from "../model/context.ts";
import { chosenName } from "../model/fields.ts";
import type { Message } from "../model/message.ts";
import { botOfFile } from "../rules/bot-of-file.ts";
import { parsedFile } from "../rules/check-file.ts";
import type { CompileReply } from "../work/compile-reply.ts";
import { loadBot } from "../work/load-bot.ts";
import { botProblem } from "./bot-problems.ts";

export const trialRequest = z.strictObject({
  text: z.string().max(4000).default(""),
  press: chosenName.optional().describe("The rule of a button that is tapped"),
  attachment: z.boolean().default(false).describe("With a photo"),
  state: chosenName.default("default"),
  answers: z.record(z.string(), z.string()).default({}).describe("Earlier answers of the customer"),
  file: z.string().optional().describe("Use these rules instead of those in force"),
});

export const trialAnswer = z.object({
  outcome: z.enum(outcomes),
  rule_id: z.string().nullable(),
  rule_version: z.int().nullable(),
  state_before: z.string(),
  state_after: z.string(),
  answers: z.record(z.string(), z.string()),
  reply: z.string().nullable(),
  buttons: z.array(z.array(z.string())),
  notification: z.string().nullable(),
  error: z.string().nullable(),
});
type Trial = z.output<typeof trialAnswer>;

/** What the bot would answer; nothing is sent. */
export async function tryMessage(
  { sql, clock, compile }: AdminDeps & { compile: CompileReply },
  workspaceId: string,
  given: z.input<typeof trialRequest>,
): Promise<Trial> {
  const { text, press, attachment, state, answers, file } = trialRequest.parse(given);
  const bot = file === undefined ? await loadBot(sql, workspaceId) : botOfFile(parsedFile(file));
  if (!bot) throw botProblem("bot_missing");
  const message: Message = {
    kind: press === undefined ? "message" : "press",
    text,
    ...(press !== undefined && { press: pressOf(press) }),
    attachments: attachment ? [{ type: "image" }] : [],
    sender: {},
  };
  const before = { ...beginning, state, context: { ...beginning.context, answers } };
  const step = answerMessage({ bot, before, message, now: clock.now() });
  const made = step.reply && compile(step.reply, bot.settings.parse_mode);
  return {
    outcome: step.outcome,
    rule_id: step.rule?.id ?? null,
    rule_version: step.rule?.version ?? null,
    state_before: step.stateBefore,
    state_after: step.after.state,
    answers: step.after.context.answers,
    reply: made?.ok ? made.compiled.plainText : null,
    buttons: (step.reply?.buttons ?? []).map((row) => row.map((button) => button.text)),
    notification: step.notification ?? null,
    error: made && !made.ok ? made.error : (step.error ?? null),
  };
}
