import { answerMessage, type Step } from "../engine/answer-message.ts";
import type { Bot } from "../engine/bot.ts";
import { contains } from "../engine/keywords.ts";
import type { ReplyButton } from "../engine/render-reply.ts";
import { beginning, type Situation } from "../model/context.ts";
import type { Message } from "../model/message.ts";
import type { CompileReply } from "../work/compile-reply.ts";
import type { Dialogue, DialogueLine } from "./rule-file-schema.ts";

/** A failed example dialogue. */
export interface PlayError {
  readonly dialogue: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

export interface Played {
  readonly faults: readonly PlayError[];
  /** Rules that were used. */
  readonly rules: ReadonlySet<string>;
}

/** Runs every dialogue from the start. */
export function playAll(dialogues: readonly Dialogue[], bot: Bot, compile: CompileReply): Played {
  const rules = new Set<string>();
  const faults = dialogues.flatMap((dialogue) => play(dialogue, bot, compile, rules));
  return { faults, rules };
}

interface Stage {
  situation: Situation;
  now: Date;
  /** The bot's last answer, if it was not compared yet. */
  said: { text: string; step: Step } | undefined;
  buttons: readonly (readonly ReplyButton[])[];
}

function play(dialogue: Dialogue, bot: Bot, compile: CompileReply, rules: Set<string>): PlayError[] {
  const stage: Stage = {
    situation: beginning,
    now: new Date("2026-01-01T09:00:00Z"),
    said: undefined,
    buttons: [],
  };
  for (const [index, line] of dialogue.lines.entries()) {
    const message = playLine(line, stage, bot, compile, rules);
    // Lines after a wrong answer prove nothing.
    if (message !== undefined) return [{ dialogue: dialogue.name, line: index + 1, message }];
  }
  return [];
}

/** Runs one line; returns what is wrong. */
function playLine(
  line: DialogueLine,
  stage: Stage,
  bot: Bot,
  compile: CompileReply,
  rules: Set<string>,
): string | undefined {
  if ("wait" in line) {
    stage.now = new Date(stage.now.getTime() + line.wait * 60_000);
    return undefined;
  }
  if ("bot" in line) return compare(line, stage);
  if ("silence" in line) {
    const { said } = stage;
    stage.said = undefined;
    return said && said.text !== "" ? `the bot says: ${said.text}` : undefined;
  }
  const message = messageOf(line, stage.buttons);
  if (typeof message === "string") return message;

  // Customers take a few seconds; faster taps would count as a double tap.
  stage.now = new Date(stage.now.getTime() + 10_000);
  const step = answerMessage({ bot, before: stage.situation, message, now: stage.now });
  if (step.rule) rules.add(step.rule.id);
  stage.situation = step.after;
  if (step.error !== undefined)
    return `the template of ${step.rule?.id ?? "the fallback"} failed: ${step.error}`;
  if (step.reply) stage.buttons = step.reply.buttons;
  const made = step.reply && compile(step.reply, bot.settings.parse_mode);
  if (made && !made.ok)
    return `the answer of ${step.rule?.id ?? "the fallback"} cannot be sent: ${made.error}`;
  stage.said = { text: made?.compiled.plainText ?? "", step };
  return undefined;
}

function compare(line: Extract<DialogueLine, { bot: string }>, stage: Stage): string | undefined {
  const { said } = stage;
  stage.said = undefined;
  if (!said) return "nobody has written to the bot since its last answer";
  if (said.text === "") return "the bot says nothing";
  const who = said.step.rule?.id ?? said.step.outcome;
  if (line.rule !== undefined && line.rule !== said.step.rule?.id)
    return `expected the rule ${line.rule}, but ${who} speaks: ${said.text}`;
  if (contains(said.text, [line.bot]) === undefined)
    return `expected “${line.bot.trim()}”, but ${who} says: ${said.text}`;
  return undefined;
}

function messageOf(
  line: Extract<
    DialogueLine,
    { customer: string } | { press: string } | { attach: string } | { start: true }
  >,
  buttons: Stage["buttons"],
): Message | string {
  const base = { text: "", attachments: [], sender: { name: "Ирина" } };
  if ("customer" in line) return { ...base, kind: "message", text: line.customer };
  if ("attach" in line) return { ...base, kind: "message", attachments: [{ type: line.attach }] };
  if ("start" in line) return { ...base, kind: "start" };
  const button = buttons.flat().find(({ text }) => text === line.press);
  if (!button) {
    const there = buttons.flat().map(({ text }) => text);
    return `there is no button “${line.press}” under the last answer${there.length > 0 ? `; there are ${there.join(", ")}` : ""}`;
  }
  if ("url" in button) return `the button “${line.press}” opens an address`;
  return { ...base, kind: "press", press: button.payload, label: button.text };
}
