import { uuidv7 } from "../../kernel/ids/index.ts";
import { cut } from "../../kernel/words/index.ts";
import type { Compiled } from "../../platforms/index.ts";
import { answerMessage, type Step } from "../engine/answer-message.ts";
import type { Bot } from "../engine/bot.ts";
import { endure, type Patience } from "../engine/flood-limit.ts";
import type { Reply } from "../engine/render-reply.ts";
import type { Situation } from "../model/context.ts";
import { defileErrorTexts } from "../texts/index.ts";
import type { CompileReply } from "./compile-reply.ts";
import { newReply, type ReplyRow, type TurnRow } from "./rows.ts";
import { shownText, type Turn } from "./turn.ts";

export interface Conclusion {
  readonly row: TurnRow;
  readonly after: Situation;
  readonly patience: Patience;
  readonly reply?: ReplyRow;
  /** What is sent to the operators: the whole conversation, or only this message. */
  readonly tellOperators?: "handover" | "relay";
}

export interface TurnDeps {
  readonly bot: Bot;
  readonly compile: CompileReply;
  readonly now: Date;
}

const previewLength = 300;

/** Decides what is answered, remembered and logged. Pure except for new ids. */
export function finishTurn(
  turn: Turn,
  before: { situation: Situation; patience: Patience | undefined },
  deps: TurnDeps,
): Conclusion {
  const { bot, now } = deps;
  const { patience, verdict } = endure(before.patience, bot.settings.flood, now);
  const moment = { bot, before: before.situation, message: turn.body, now };
  const step = verdict === "pass" ? answerMessage(moment) : slowDown(before.situation, bot, verdict);
  const written = step.reply && write(step.reply, step.error, deps);
  const reply = replyRow(turn, step, written?.compiled ?? null, written?.text ?? "", now);
  const error = written?.error ?? step.error;
  return {
    row: {
      ...keyOf(turn),
      id: uuidv7({ now: () => now }),
      action: actionOf(step),
      result: error === undefined ? "ok" : "error",
      outcome: step.outcome,
      message_text: shownText(turn.body, defileErrorTexts[bot.settings.language]),
      matched_rule_id: step.rule?.id ?? null,
      rule_version: step.rule?.version ?? null,
      state_before: step.stateBefore,
      state_after: step.after.state,
      response_preview: written ? cut(written.text, previewLength) : null,
      meta: {
        trace_id: turn.trace_id,
        ...(reply && { idempotency_key: reply.outbox_id }),
        ...(written && { adapter: { platform: "max", method: methodOf(written.compiled) } }),
        ...(step.rule && { intent: step.rule.intent }),
        ...(error !== undefined && { error: error }),
      },
    },
    after: step.after,
    patience,
    ...(reply && { reply }),
    ...toldOf(step, bot),
  };
}

export function keyOf({ workspace_id, provider, chat_id, provider_message_id }: Turn) {
  return { workspace_id, provider, chat_id, provider_message_id };
}

function slowDown(situation: Situation, { settings }: Bot, verdict: "tell" | "drop"): Step {
  const reply = { text: settings.flood.text, buttons: [], media: [] };
  return {
    outcome: "flooded",
    stateBefore: situation.state,
    after: situation,
    ...(verdict === "tell" && { reply }),
  };
}

interface Written {
  readonly compiled: Compiled;
  readonly text: string;
  readonly error?: string;
}

/** The compiled reply; if the messenger cannot take it, the fallback as plain text. */
function write(reply: Reply, error: string | undefined, { bot, compile }: TurnDeps): Written {
  const { parse_mode, fallback } = bot.settings;
  const made = compile(reply, parse_mode);
  if (made.ok)
    return {
      compiled: made.compiled,
      text: made.compiled.plainText,
      ...(error !== undefined && { error }),
    };
  const plain = compile({ text: cut(fallback.text, 4000), buttons: [], media: [] }, "None");
  if (!plain.ok) throw new Error(`the fallback cannot be sent: ${plain.error}`);
  return { compiled: plain.compiled, text: plain.compiled.plainText, error: made.error };
}

function replyRow(
  turn: Turn,
  { notification }: Step,
  compiled: Compiled | null,
  text: string,
  now: Date,
): ReplyRow | undefined {
  const press = turn.body.kind === "press" && notification !== undefined;
  if (!compiled && !press) return undefined;
  return newReply(
    {
      workspace_id: turn.workspace_id,
      chat_id: turn.chat_id,
      inbound: turn.provider_message_id,
      kind: compiled ? "reply" : "notice",
      text: compiled ? text : (notification ?? ""),
      compiled,
      trace_id: turn.trace_id,
      ...(press && { callback_id: turn.provider_message_id, notification }),
    },
    now,
  );
}

function actionOf({ outcome }: Step): TurnRow["action"] {
  if (outcome === "relayed") return "bot_operator_relay";
  return outcome === "flooded" ? "bot_flood_dropped" : "bot_engine_processed";
}

function toldOf({ outcome }: Step, { operatorsChatId }: Bot): Pick<Conclusion, "tellOperators"> {
  if (operatorsChatId === null) return {};
  if (outcome === "escalated") return { tellOperators: "handover" };
  return outcome === "relayed" ? { tellOperators: "relay" } : {};
}

function methodOf({ requests }: Compiled): "sendText" | "sendMedia" {
  return requests.some(({ media }) => media.length > 0) ? "sendMedia" : "sendText";
}
