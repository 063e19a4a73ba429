import { beginning, type Context, type Situation } from "../model/context.ts";
import type { Message } from "../model/message.ts";
import { defaultState, operatorState, type Rule } from "../model/rule.ts";
import { defileErrorTexts } from "../texts/index.ts";
import { accept, isQuestion } from "./accept-answer.ts";
import type { Bot } from "./bot.ts";
import { match, usable } from "./match-rule.ts";
import { type Rendered, type Reply, reply } from "./render-reply.ts";

export const outcomes = [
  "answered",
  /** The message is not what the rule asks for; it asks again. */
  "refused",
  "fallback",
  "escalated",
  /** An operator has the chat; the message is relayed. */
  "relayed",
  "returned",
  /** A double tap. */
  "repeated",
  "flooded",
  /** The bot is switched off. */
  "ignored",
] as const;
export type TurnOutcome = (typeof outcomes)[number];

/** The result of one message. */
export interface Step {
  readonly outcome: TurnOutcome;
  readonly rule?: Rule;
  readonly stateBefore: string;
  readonly after: Situation;
  readonly reply?: Reply;
  /** Shown to whoever tapped a button. */
  readonly notification?: string;
  /** Error of the rule's template. */
  readonly error?: string;
}

export interface Moment {
  readonly bot: Bot;
  readonly before: Situation;
  readonly message: Message;
  readonly now: Date;
}

/** Payload of the button with which a customer leaves the operator. */
export const backPress = "bot:back";
/** Two taps of one button within this time count as one. */
const doubleTapMs = 3_000;

/** Decides the answer to one message. Pure; used by the engine, the trial, rule file tests and the replay. */
export function answerMessage(moment: Moment): Step {
  const { bot, message, now } = moment;
  const expired = moment.before.expiresAt !== null && moment.before.expiresAt <= now;
  const live = expired || message.kind === "start" ? resumed(moment, expired) : moment.before;
  const stateBefore = live.state;
  if (!bot.enabled) return { outcome: "ignored", stateBefore, after: live };
  if (live.state === operatorState) return besideOperator(live, moment);
  if (isDoubleTap(live.context, message, now))
    return { outcome: "repeated", stateBefore, after: live, notification: bot.settings.pressed_text };

  const context = { ...live.context, turns: live.context.turns + 1, ...pressNoted(message, now) };
  const found = match(bot.rules, live.state, message);
  const rule = found.kind === "rule" ? found.rule : undefined;
  const limit = rule?.maxTurns ?? bot.settings.max_turns;
  // A rule that interrupts always works, however long the conversation is.
  const step =
    isFlow(live.state) && context.turns >= limit && !rule?.interrupts
      ? escalate(rule, context, moment)
      : rule
        ? speak(rule, live, context, moment)
        : fallBack(live, context, moment, expired && isFlow(moment.before.state));
  const notification = found.kind === "stale" ? bot.settings.stale_button_text : bot.settings.pressed_text;
  return { ...step, stateBefore, ...(message.kind === "press" && { notification }) };
}

type Decided = Omit<Step, "stateBefore">;

function isFlow(state: string): boolean {
  return state !== defaultState && state !== operatorState;
}

/** Start resets the conversation unless an operator has the chat; an expired conversation is forgotten. */
function resumed({ before, message }: Moment, expired: boolean): Situation {
  return !expired && message.kind === "start" && before.state === operatorState ? before : beginning;
}

function speak(rule: Rule, live: Situation, context: Context, moment: Moment): Decided {
  if (rule.action === "escalate") return escalate(rule, context, moment);
  const { bot, message } = moment;
  let answers = context.answers;
  if (rule.accepts) {
    const value = accept(rule.accepts, message.kind === "press" ? (message.label ?? "") : message.text);
    if (value === undefined) {
      const answering = asideOf(moment);
      if (answering) return aside(answering, rule, live, context, moment);
      // The rule's own buttons belong to its answer, which is not given yet.
      const buttons = usable(rule.buttons, bot.rules, live.state);
      const rendered = reply(rule.refusal ?? rule.answer, { buttons }, { bot, context, message });
      return { outcome: "refused", rule, after: staying(live.state, context, moment), ...said(rendered) };
    }
    if (rule.saveAs) answers = { ...answers, [rule.saveAs]: value };
  }
  const known = { ...context, answers, misses: 0 };
  const rendered = reply(rule.answer, rule, { bot, context: known, message });
  return {
    outcome: "answered",
    rule,
    after: staying(rule.nextState ?? live.state, known, moment),
    ...said(rendered),
  };
}

/** The rule for a question that the customer asks instead of answering. */
function asideOf({ bot, message }: Moment): Rule | undefined {
  if (message.kind !== "message" || !isQuestion(message.text)) return undefined;
  const found = match(bot.rules, defaultState, message);
  return found.kind === "rule" && found.rule.state === null && found.rule.nextState === null
    ? found.rule
    : undefined;
}

/** Answers the question and asks again for the missing value. */
function aside(answering: Rule, waiting: Rule, live: Situation, context: Context, moment: Moment): Decided {
  const { bot, message } = moment;
  const template = [answering.answer, waiting.refusal].filter(Boolean).join("\n\n");
  const buttons = usable(answering.buttons, bot.rules, live.state);
  const rendered = reply(template, { buttons, media: answering.media }, { bot, context, message });
  const after = staying(live.state, { ...context, misses: 0 }, moment);
  return { outcome: "answered", rule: answering, after, ...said(rendered) };
}

function fallBack(live: Situation, context: Context, moment: Moment, wasForgotten: boolean): Decided {
  const { bot, message } = moment;
  const { fallback, expired_text } = bot.settings;
  const missed = { ...context, misses: context.misses + 1 };
  if (fallback.escalate_after !== null && missed.misses >= fallback.escalate_after)
    return escalate(undefined, missed, moment);
  const words = wasForgotten ? `${expired_text}\n\n${fallback.text}` : fallback.text;
  const rendered = reply(words, fallback, { bot, context: missed, message });
  return { outcome: "fallback", after: staying(live.state, missed, moment), ...said(rendered) };
}

/** Calls an operator and resets the conversation. Without an operators' group the text tells how to reach people instead. */
function escalate(rule: Rule | undefined, context: Context, moment: Moment): Decided {
  const { bot, message, now } = moment;
  const { escalation, operators, language } = bot.settings;
  const own = rule?.action === "escalate" ? rule : undefined;
  const named = rule ? { rule } : {};
  if (bot.operatorsChatId === null) {
    const words = reply(escalation.nobody_text, own ?? escalation, { bot, context, message });
    return { outcome: "escalated", ...named, after: beginning, ...said(words) };
  }
  const rendered = reply(own?.answer ?? escalation.text, own ?? escalation, { bot, context, message });
  const back = [{ text: defileErrorTexts[language].backToBot, payload: backPress }];
  const { error, reply: words } = said(rendered);
  return {
    outcome: "escalated",
    ...named,
    after: { ...beginning, state: operatorState, expiresAt: later(now, operators.return_minutes) },
    reply: { ...words, buttons: [...words.buttons, back] },
    ...(error !== undefined && { error }),
  };
}

function besideOperator(live: Situation, { bot, message, now }: Moment): Step {
  const stateBefore = live.state;
  if (message.press === backPress) {
    const rendered = reply(bot.settings.operators.returned_text, {}, { bot, context: live.context, message });
    return { outcome: "returned", stateBefore, after: beginning, ...said(rendered) };
  }
  const after = { ...live, expiresAt: later(now, bot.settings.operators.return_minutes) };
  const notification = message.kind === "press" ? { notification: bot.settings.pressed_text } : {};
  return { outcome: "relayed", stateBefore, after, ...notification };
}

/** The situation after an answer. Back in the default state only the misses are remembered. */
function staying(state: string, context: Context, { bot, now }: Moment): Situation {
  if (state !== defaultState) return { state, context, expiresAt: later(now, bot.settings.state_minutes) };
  const { misses, lastPress } = context;
  return {
    ...beginning,
    context: { ...beginning.context, misses, ...(lastPress && { lastPress }) },
    expiresAt: misses > 0 ? later(now, bot.settings.state_minutes) : null,
  };
}

function said(rendered: Rendered): { reply: Reply; error?: string } {
  return { reply: rendered.reply, ...(!rendered.ok && { error: rendered.error }) };
}

function isDoubleTap({ lastPress }: Context, { press, pressedOn = "" }: Message, now: Date): boolean {
  return (
    press !== undefined &&
    lastPress?.press === press &&
    lastPress.on === pressedOn &&
    now.getTime() - lastPress.at < doubleTapMs
  );
}

function pressNoted({ press, pressedOn = "" }: Message, now: Date): Pick<Context, "lastPress"> {
  return press === undefined ? {} : { lastPress: { press, on: pressedOn, at: now.getTime() } };
}

function later(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000);
}
