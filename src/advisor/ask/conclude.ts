import type { Transaction } from "../../kernel/db/index.ts";
import type { AdvisorDeps } from "../deps.ts";
import { Refusal } from "../door/refusal.ts";
import { limits } from "../limits.ts";
import { readPet } from "../pets/pets.ts";
import { plansOf } from "../settings.ts";
import { textsFor } from "../subject/language.ts";
import type { Subject } from "../subject/subject.ts";
import type { Advised } from "./advice.ts";
import type { Begun } from "./begin.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Question } from "./question.ts";
import { limitsOf, type Quota, quotaShape, researchOf } from "./quota.ts";
import { readSession, type SavedSession, type SessionContext, saveSession } from "./session.ts";
import { type Upsell, upsellAfter } from "./upsell.ts";

export interface Answered extends Advised {
  readonly knowledge: Knowledge;
  readonly scenario: string;
  /** The question in words, also when it came as a file. */
  readonly asked: string;
  /** Said after the answer, but not part of the talk. */
  readonly note: string | undefined;
}

interface Conclusion {
  readonly workspaceId: string;
  readonly requestId: string;
  readonly question: Question;
  readonly request: Begun;
  readonly answered: Answered;
}

/** Keeps the answer with all that follows from it, or nothing. */
export async function conclude(conclusion: Conclusion, deps: AdvisorDeps, subject: Subject) {
  const { workspaceId, requestId, request, answered, question } = conclusion;
  const { userId, attempt, plan } = request;
  const now = deps.clock.now();
  return deps.sql.begin(async (tx) => {
    const [user] = await tx<{ quota: unknown; last_upsell_at: Date | null }[]>`
      select advisor.quota_of(u, ${JSON.stringify(plansOf(deps.settings))}::text::jsonb, ${now}) as quota, u.last_upsell_at
      from advisor.users u where u.workspace_id = ${workspaceId} and u.id = ${userId} for no key update`;
    const { knowledge } = answered;
    const isPetGone = knowledge.petId && !(await readPet(tx, workspaceId, userId, knowledge.petId));
    if (!user || isPetGone) throw overtaken();
    const quota = quotaShape.parse(user.quota);
    // Read again: another question of the same person may have been answered meanwhile.
    const before = await readSession(tx, workspaceId, userId, now);
    const answers = before.marketing_state.free_answers_count + 1;
    const texts = textsFor(request.locale, subject);
    const upsell = upsellAfter({ plan, answers, lastUpsellAt: user.last_upsell_at, now }, texts);
    const session = await saveSession(
      tx,
      { workspaceId, userId, now, ttlSec: ttlOf(question, request, deps) },
      contextAfter(before, conclusion, upsell, answers, now, deps.settings.maxTurns),
    );
    if (plan === "pro" && !answered.refused) await keepInteraction(tx, conclusion, now);
    if (upsell.show)
      await tx`update advisor.users set last_upsell_at = ${now} where workspace_id = ${workspaceId} and id = ${userId}`;
    const response = responseOf(answered, session, quota, upsell);
    const [finished] = await tx<{ ok: boolean }[]>`
      select advisor.finish_request(${workspaceId}, ${requestId}, ${attempt}, ${knowledge.petId},
        ${JSON.stringify(response)}::text::jsonb, ${now}) as ok`;
    if (!finished?.ok) throw overtaken();
    return response;
  });
}

function responseOf(
  { advice, meta, knowledge, note }: Answered,
  session: SavedSession,
  quota: Quota,
  upsell: Upsell,
) {
  return {
    answer_text: [advice.answer_text, note].filter(Boolean).join("\n\n"),
    safety_level: advice.safety_level,
    recommended_actions: advice.recommended_actions,
    should_go_to_vet: advice.should_go_to_vet,
    followup_question: advice.followup_question,
    session: { session_id: session.session_id, expires_at: session.expires_at.toISOString() },
    limits: limitsOf(quota),
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

/** The person deleted everything, or another process took the request over: nothing of this answer may be kept. */
function overtaken(): Refusal {
  return new Refusal(
    "conflict",
    "request_superseded",
    "The request was deleted or taken over while it was being answered.",
  );
}

function ttlOf({ ttlHintSec }: Question, { plan }: Begun, { settings }: AdvisorDeps): number {
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
      ? // Which message it becomes is known to the client alone.
        { question: advice.followup_question, last_bot_message_id: null }
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

/** The newest is worth most: what does not fit is lost from the beginning. */
function lengthened(before: string | null, summary: string): string {
  const whole = [before, summary].filter(Boolean).join(" ");
  return [...whole].slice(-summaryLength).join("");
}

async function keepInteraction(
  tx: Transaction,
  { workspaceId, request, question, answered }: Conclusion,
  now: Date,
): Promise<void> {
  const { advice, knowledge, scenario, asked } = answered;
  await tx`
    insert into advisor.interactions (workspace_id, id, user_id, pet_id, scenario, mode, topic, question_text, answer_text, summary, created_at)
    values (${workspaceId}, molva.uuidv7(${now}), ${request.userId}, ${knowledge.petId}, ${scenario},
      ${question.research ? "research" : "normal"}, ${advice.topic}, ${asked}, ${advice.answer_text}, ${advice.summary}, ${now})`;
}
