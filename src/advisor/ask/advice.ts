import { z } from "zod";
import { type SafetyLevel, safetyLevels } from "../../firstaid/index.ts";
import type { Answered, Ask, CallMeta, LlmError, LlmErrorCode, ObjectAnswer } from "../../llm/index.ts";
import type { AdvisorDeps } from "../deps.ts";
import type { Subject } from "../subject/subject.ts";
import { Refusal } from "../v1/refusal.ts";

/** The structure the model has to fill in. */
export const adviceShape = z.object({
  answer_text: z.string().describe("Ответ целиком, простым текстом"),
  safety_level: z.enum(safetyLevels).describe("Насколько это опасно"),
  recommended_actions: z.array(z.string()).describe("Что сделать, до трёх коротких шагов"),
  should_go_to_vet: z.boolean().describe("Нужен ли врач"),
  followup_question: z.string().nullable().describe("Один уточняющий вопрос или null"),
  topic: z.string().describe("Тема в двух-трёх словах"),
  summary: z.string().describe("Суть вопроса и совета в одном предложении"),
});
export type Advice = z.output<typeof adviceShape>;

export interface Advised {
  readonly advice: Advice;
  readonly meta: CallMeta;
  /** The model declined; the answer is given but not remembered. */
  readonly refused: boolean;
}

/** Asks for a structured answer; falls back to plain text if no model follows the structure. */
export async function adviceOf(
  ask: Ask,
  asked: string,
  { gateway }: AdvisorDeps,
  subject: Subject,
  language: "ru" | "en",
): Promise<Advised> {
  const answered: Answered<ObjectAnswer<Advice>> = await gateway.object({
    ...ask,
    schema: adviceShape,
    schemaName: "advice",
  });
  if (answered.ok) {
    const advice = trimmed(answered.object);
    // A structured answer can still be empty.
    if (advice.answer_text === "") throw failed({ code: "empty_answer", message: "an empty answer" });
    return {
      advice: raised(advice, asked, subject, language),
      meta: answered.meta,
      refused: false,
    };
  }
  if (answered.error.code !== "invalid_answer" && answered.error.code !== "refused")
    throw failed(answered.error);
  const plain = await gateway.text({ ...ask, ...(ask.requestId && { requestId: `${ask.requestId}:text` }) });
  if (!plain.ok) throw failed(plain.error);
  return {
    advice: raised(fromWords(plain.text, asked), asked, subject, language),
    meta: plain.meta,
    refused: plain.refused,
  };
}

/** Warning signs in the question can only raise the safety level. */
function raised(advice: Advice, asked: string, subject: Subject, language: "ru" | "en"): Advice {
  const level = higher(advice.safety_level, subject.alarmIn(asked));
  if (level !== "high") return { ...advice, safety_level: level };
  return {
    ...(advice.safety_level === "high" ? advice : withFirstAid(advice, asked, subject, language)),
    safety_level: level,
    should_go_to_vet: true,
    followup_question: null,
  };
}

/** The model missed a danger: puts first aid before its answer. */
function withFirstAid(advice: Advice, asked: string, subject: Subject, language: "ru" | "en"): Advice {
  const firstAid = subject.firstAid(asked, language);
  if (!firstAid) return advice;
  return {
    ...advice,
    answer_text: [firstAid.alarm, subject.texts[language].otherwise, advice.answer_text].join("\n\n"),
    recommended_actions: [...firstAid.steps],
  };
}

export function higher(one: SafetyLevel, other: SafetyLevel): SafetyLevel {
  return safetyLevels.indexOf(one) >= safetyLevels.indexOf(other) ? one : other;
}

function trimmed(advice: Advice): Advice {
  return {
    ...advice,
    answer_text: storable(advice.answer_text),
    recommended_actions: advice.recommended_actions.map(storable).filter(Boolean).slice(0, 5),
    followup_question: storable(advice.followup_question ?? "") || null,
    topic: shortened(advice.topic, 80),
    summary: shortened(advice.summary, 500),
  };
}

function fromWords(text: string, asked: string): Advice {
  return {
    answer_text: storable(text),
    safety_level: "low",
    recommended_actions: [],
    should_go_to_vet: false,
    followup_question: null,
    topic: shortened(asked, 80),
    summary: shortened(asked, 500),
  };
}

/** Models may return NUL or lone surrogates, which the database refuses. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed().trim();
}

function shortened(text: string, max: number): string {
  const line = storable(text).replace(/\s+/g, " ").trim();
  return [...line].length > max ? `${[...line].slice(0, max - 1).join("")}…` : line;
}

function failed(error: LlmError): Refusal {
  const { code, retryAfterMs } = error;
  const kind = kinds[code] ?? "failed";
  const [word, message] = told[kind];
  const details = retryAfterMs ? { retryAfterSec: Math.ceil(retryAfterMs / 1000) } : {};
  return new Refusal(word, kind === "late" ? "llm_timeout" : reasonOf(error), message, details);
}

function reasonOf({ code, provider }: LlmError): string {
  return code === "not_configured" && provider ? `${provider}_not_configured` : code;
}

const told = {
  late: ["llm_timeout", "The model took too long; the question was not charged."],
  missing: ["llm_not_configured", "No model is set up for this, or its budget is spent; tell the operator."],
  failed: ["llm_failed", "The model did not answer; the question was not charged."],
} as const;

const kinds: Partial<Record<LlmErrorCode, keyof typeof told>> = {
  timeout: "late",
  aborted: "late",
  not_configured: "missing",
  policy_missing: "missing",
  policy_disabled: "missing",
  prompt_missing: "missing",
  budget_exceeded: "missing",
};
