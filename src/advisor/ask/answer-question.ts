/** One question from request to stored answer. The model is called outside any transaction. */
import type { Ask, Part } from "../../llm/index.ts";
import { limits } from "../advisor-limits.ts";
import type { AdvisorDeps } from "../deps.ts";
import { readMedia } from "../media/read-media.ts";
import { requirePet } from "../pets/read-pets.ts";
import { languageOf, textsFor } from "../subject/language.ts";
import type { Subject } from "../subject/subject.ts";
import { Refusal } from "../v1/refusal.ts";
import { adviceOf } from "./advice.ts";
import { type Beginning, type Begun, beginRequest } from "./begin-request.ts";
import { type Answered, finishQuestion } from "./finish-question.ts";
import { knowledgeOf, recalled } from "./knowledge.ts";
import { outOfQuota } from "./out-of-quota.ts";
import type { Question } from "./question.ts";
import { type Reply, replyShape } from "./reply.ts";
import { selectPolicy } from "./select-policy.ts";
import { contextOf, type SessionContext } from "./session-context.ts";

export interface AskedOnce {
  readonly requestId: string;
  readonly payloadHash: string;
  readonly question: Question;
}

export type Replied = { readonly repeated: boolean; readonly response: Reply };

export async function ask(asked: AskedOnce, deps: AdvisorDeps, subject: Subject): Promise<Replied> {
  const workspaceId = await deps.workspaceId();
  const texts = textsFor(asked.question.locale, subject);
  const beginning = await begin(workspaceId, asked, deps);
  if (beginning.kind === "repeated")
    return { repeated: true, response: replyShape.parse(beginning.response) };
  if (beginning.kind === "out_of_quota")
    throw outOfQuota(beginning.why, beginning.quota, asked.question, texts, deps.clock.now());
  const { request } = beginning;
  try {
    const answered = await answer(workspaceId, asked, request, deps, subject);
    const response = await finishQuestion({ workspaceId, ...asked, request, answered }, deps, subject);
    return { repeated: false, response };
  } catch (error) {
    await giveUp(workspaceId, asked.requestId, request, error, deps);
    throw error;
  }
}

/** Anything that makes the question impossible is found before the commit, so that nothing of it is stored. */
async function begin(workspaceId: string, asked: AskedOnce, deps: AdvisorDeps): Promise<Beginning> {
  const { requestId, payloadHash, question } = asked;
  const { attachment, petId, research, telegramUserId, locale } = question;
  const wants = { research, media: attachment !== undefined, photos: attachment?.type === "photo" ? 1 : 0 };
  const now = deps.clock.now();
  const request = {
    workspaceId,
    requestId,
    route: "chat/ask",
    payloadHash,
    telegramUserId,
    locale,
    petId,
    wants,
    clientMessageId: question.clientMessageId,
  };
  // Most questions refer to nothing stored, and a single statement needs no transaction.
  if (!petId && attachment?.kind !== "stored") return beginRequest(deps.sql, request, deps.settings, now);
  return deps.sql.begin(async (tx) => {
    const beginning = await beginRequest(tx, request, deps.settings, now);
    if (beginning.kind !== "begun") return beginning;
    const { userId } = beginning.request;
    if (petId) await requirePet(tx, workspaceId, userId, petId);
    if (attachment?.kind === "stored") {
      const usable = await tx`
        select from advisor.media_assets
        where workspace_id = ${workspaceId} and id = ${attachment.mediaId} and user_id = ${userId} and type = ${attachment.type}
          and uploaded_at is not null and deleted_at is null and (expires_at is null or expires_at > ${now})`;
      if (usable.length === 0)
        throw new Refusal(
          "not_found",
          "media_not_found",
          "There is no such file of this user: upload it first.",
        );
    }
    return beginning;
  });
}

async function answer(
  workspaceId: string,
  { requestId, question }: AskedOnce,
  { userId, plan, attempt, locale, state, memory }: Begun,
  deps: AdvisorDeps,
  subject: Subject,
): Promise<Answered> {
  const language = languageOf(locale);
  const texts = subject.texts[language];
  const session = contextOf(state.session?.context);
  const knowledge = recalled(knowledgeOf(question, memory), session);
  const scenario = question.scenario ?? session.scenario ?? subject.defaultScenario;
  const kind = question.attachment?.type ?? "none";
  const words = question.text || (kind === "audio" ? texts.audioAlone : texts.photoAlone);
  const call: Ask = {
    workspaceId,
    policy: selectPolicy(plan, { research: question.research, media: kind }),
    prompt: {
      name: subject.prompt,
      values: { scenario, media: kind, plan, research: question.research, language },
      data: {
        profile: subject.profile.describe(knowledge.profile),
        memory: [...knowledge.memory, ...olderTurns(session, deps.settings.maxTurns)].join("\n"),
        expected: expectedIn(session, question.replyTo),
        question: words,
      },
    },
    turns: session.last_turns,
    parts: await mediaOf(workspaceId, question, deps),
    userId: `advisor:${userId}`,
    // A repeated request after a failure is a new call; a request taken over by another process is the same call.
    requestId: `advisor:${requestId}:${attempt}`,
    signal: AbortSignal.timeout(limits.answerWithinMs),
  };
  const advised = await adviceOf(call, question.text, deps, subject, language);
  if (kind === "photo" && subject.deniesSight(advised.advice.answer_text))
    throw new Refusal(
      "llm_failed",
      "vision_not_processed",
      "The photo could not be looked at; it was not charged.",
    );
  const note = plan === "free" && subject.mentionsPhoto(question.text) ? texts.photosArePro : undefined;
  return { ...advised, knowledge, scenario, asked: words, note };
}

/** The follow-up question that this message answers, unless it replies to an older message. */
function expectedIn({ expected_reply_to: expected }: SessionContext, replyTo: number | null): string {
  if (!expected) return "";
  const { last_bot_message_id: earlier, question } = expected;
  return replyTo === null || earlier === null || replyTo > earlier ? question : "";
}

/** Summary of the turns that the model does not see. */
function olderTurns(
  { last_turns: turns, conversation_summary: summary }: SessionContext,
  maxTurns: number,
): string[] {
  return summary && turns.length >= 2 * maxTurns ? [summary] : [];
}

async function mediaOf(workspaceId: string, { attachment }: Question, deps: AdvisorDeps): Promise<Part[]> {
  if (!attachment) return [];
  if (attachment.kind === "inline")
    return [{ type: "image", bytes: attachment.bytes, mediaType: attachment.mime }];
  const { bytes, mime } = await readMedia(deps, workspaceId, attachment.mediaId);
  return [{ type: attachment.type === "photo" ? "image" : "audio", bytes, mediaType: mime }];
}

/** Returns the quota of a failed question. If this fails, the upkeep does it later. */
async function giveUp(
  workspaceId: string,
  requestId: string,
  { attempt }: Begun,
  error: unknown,
  { sql, clock, log }: AdvisorDeps,
) {
  const why = error instanceof Refusal ? error.reason : error instanceof Error ? error.name : "error";
  try {
    await sql`select advisor.fail_request(${workspaceId}, ${requestId}, ${attempt}, ${why}, ${clock.now()})`;
  } catch (fault) {
    log.error({ err: fault, requestId }, "a failed question could not be given back yet");
  }
}
