import { uuidv7 } from "../../kernel/ids/index.ts";
import { limits } from "../advisor-limits.ts";
import { type Plan, plansOf } from "../advisor-settings.ts";
import type { AdvisorDeps } from "../deps.ts";
import { textsFor } from "../subject/language.ts";
import type { Subject } from "../subject/subject.ts";
import { Refusal } from "../v1/refusal.ts";
import type { Advised } from "./advice.ts";
import type { Begun } from "./begin-request.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Question } from "./question.ts";
import { limitsOf, type Quota, researchOf } from "./quota.ts";
import type { Reply } from "./reply.ts";
import { contextOf, type SessionContext } from "./session-context.ts";
import { type State, stateShape } from "./state.ts";
import { type Upsell, upsellAfter } from "./upsell.ts";

export interface Answered extends Advised {
  readonly knowledge: Knowledge;
  readonly scenario: string;
  /** The question as text, also for a file. */
  readonly asked: string;
  /** Added after the answer, but not remembered. */
  readonly note: string | undefined;
}

interface Conclusion {
  readonly workspaceId: string;
  readonly requestId: string;
  readonly question: Question;
  readonly request: Begun;
  readonly answered: Answered;
}

type Finished = { finished: true } | { overtaken: true } | { state: unknown };

/** Stores the answer and all its effects, or nothing. */
export async function finishQuestion(
  conclusion: Conclusion,
  deps: AdvisorDeps,
  subject: Subject,
): Promise<Reply> {
  const { workspaceId, requestId, request, answered } = conclusion;
  for (let { state } = request; ; ) {
    const now = deps.clock.now();
    const { response, session, interaction } = outcomeOf(conclusion, state, now, deps, subject);
    const [row] = await deps.sql<[{ finished: Finished }]>`
      select advisor.finish_question(${workspaceId}, ${request.userId}, ${requestId}, ${request.attempt}, ${state.version},
        ${JSON.stringify(plansOf(deps.settings))}::text::jsonb, ${answered.knowledge.petId},
        ${JSON.stringify(response)}::text::jsonb, ${JSON.stringify(session)}::text::jsonb,
        ${interaction && JSON.stringify(interaction)}::text::jsonb, ${response.upsell.show}, ${now}) as finished`;
    if ("overtaken" in row.finished) throw overtaken();
    if ("finished" in row.finished) return response;
    // Another question of the same person was answered meanwhile, or the day changed.
    state = stateShape.parse(row.finished.state);
  }
}

function outcomeOf(conclusion: Conclusion, state: State, now: Date, deps: AdvisorDeps, subject: Subject) {
  const { request, answered, question } = conclusion;
  const { locale } = request;
  // The current plan: Pro may have ended while the model was answering.
  const { plan } = state.quota;
  const before = contextOf(state.session?.context);
  const answers = before.marketing_state.free_answers_count + 1;
  const upsell = upsellAfter(
    { plan, answers, lastUpsellAt: state.last_upsell_at, now },
    textsFor(locale, subject),
  );
  const session = {
    id: state.session?.id ?? uuidv7({ now: () => now }),
    expires_at: new Date(now.getTime() + ttlOf(question, plan, deps) * 1000).toISOString(),
    context: contextAfter(before, conclusion, upsell, answers, now, deps.settings.maxTurns),
  };
  return {
    session,
    response: responseOf(answered, session, state.quota, upsell, now),
    interaction: plan === "pro" && !answered.refused ? interactionOf(conclusion) : null,
  };
}

function responseOf(
  { advice, meta, knowledge, note }: Answered,
  session: { readonly id: string; readonly expires_at: string },
  quota: Quota,
  upsell: Upsell,
  now: Date,
): Reply {
  return {
    answer_text: [advice.answer_text, note].filter(Boolean).join("\n\n"),
    safety_level: advice.safety_level,
    recommended_actions: advice.recommended_actions,
    should_go_to_vet: advice.should_go_to_vet,
    followup_question: advice.followup_question,
    session: { session_id: session.id, expires_at: session.expires_at },
    limits: limitsOf(quota, now),
    upsell,
    research: researchOf(quota),
    meta: {
      policy_name: meta.policy,
      llm_provider: meta.provider ?? null,
      llm_model: meta.model ?? null,
      pet_profile_source: knowledge.source,
      pet_profile_pet_id: knowledge.petId,
    },
  };
}

/** The person deleted their data, or another process took the request over: this answer must not be stored. */
function overtaken(): Refusal {
  return new Refusal(
    "conflict",
    "request_superseded",
    "The request was deleted or taken over while it was being answered.",
  );
}

function ttlOf({ ttlHintSec }: Question, plan: Plan, { settings }: AdvisorDeps): number {
  if (plan === "pro") return settings.proTtlSec;
  return Math.max(limits.shortestTtlSec, Math.min(ttlHintSec ?? settings.freeTtlSec, settings.freeTtlSec));
}

function contextAfter(
  before: SessionContext,
  { question, answered }: Conclusion,
  upsell: Upsell,
  answers: number,
  now: Date,
  maxTurns: number,
): SessionContext {
  const { advice, scenario, knowledge, asked, refused } = answered;
  const turns = [
    ...before.last_turns,
    { role: "user" as const, text: asked },
    { role: "assistant" as const, text: advice.answer_text },
  ];
  const { seen_flags: seen } = before.marketing_state;
  return {
    v: 1,
    scenario,
    scenario_at: question.scenario || !before.scenario_at ? now.toISOString() : before.scenario_at,
    pet_snapshot: isNew(knowledge) ? { ...knowledge.profile } : before.pet_snapshot,
    conversation_summary: refused
      ? before.conversation_summary
      : lengthened(before.conversation_summary, advice.summary),
    last_turns: refused ? before.last_turns : turns.slice(Math.max(0, turns.length - 2 * maxTurns)),
    expected_reply_to: advice.followup_question
      ? {
          question: advice.followup_question,
          // Only the client knows the id of the follow-up message; it is higher than all ids replied to so far.
          last_bot_message_id: question.replyTo ?? before.expected_reply_to?.last_bot_message_id ?? null,
        }
      : null,
    marketing_state: {
      free_answers_count: answers,
      last_upsell_at: upsell.show ? now.toISOString() : before.marketing_state.last_upsell_at,
      seen_flags: upsell.reason && !seen.includes(upsell.reason) ? [...seen, upsell.reason] : seen,
    },
  };
}

function isNew({ source }: Knowledge): boolean {
  return source === "request" || source === "db";
}

const summaryLength = 1_000;

/** Keeps the newest part. */
function lengthened(before: string | null, summary: string): string {
  const whole = [before, summary].filter(Boolean).join(" ");
  return [...whole].slice(-summaryLength).join("");
}

function interactionOf({ question, answered }: Conclusion) {
  const { advice, scenario, asked } = answered;
  return {
    scenario,
    mode: question.research ? "research" : "normal",
    topic: advice.topic,
    question_text: asked,
    answer_text: advice.answer_text,
    summary: advice.summary,
  };
}
