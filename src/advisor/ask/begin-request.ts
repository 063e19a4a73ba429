import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { limits } from "../advisor-limits.ts";
import { type AdvisorSettings, type Plan, plansOf, traceOf } from "../advisor-settings.ts";
import { Refusal } from "../v1/refusal.ts";
import { type Memory, memoryShape } from "./knowledge.ts";
import { type Quota, quotaShape } from "./quota.ts";
import { type State, stateShape } from "./state.ts";

export interface RequestToBegin {
  readonly workspaceId: string;
  readonly requestId: string;
  readonly route: string;
  readonly payloadHash: string;
  readonly telegramUserId: number;
  readonly locale: string | null;
  readonly petId: string | null;
  readonly clientMessageId: string | null;
  /** Quota the request uses; null if it is free. */
  readonly wants: { readonly research: boolean; readonly media: boolean; readonly photos: number } | null;
}

export interface Begun {
  readonly attempt: number;
  readonly userId: string;
  readonly plan: Plan;
  readonly locale: string | null;
  readonly state: State;
  /** Only for Pro. */
  readonly memory: Memory | null;
}

export type Beginning =
  | { readonly kind: "begun"; readonly request: Begun }
  | { readonly kind: "repeated"; readonly response: unknown }
  | { readonly kind: "out_of_quota"; readonly why: QuotaRefusal; readonly quota: Quota };

const quotaRefusal = z.enum(["plan_required", "cooldown", "daily_limit", "research_limit", "photo_limit"]);
export type QuotaRefusal = z.output<typeof quotaRefusal>;

const answer = z.union([
  z.object({
    begun: z.int(),
    user_id: z.string(),
    plan: z.enum(["free", "pro"]),
    locale: z.string().nullable(),
    state: stateShape,
    memory: memoryShape.nullable(),
  }),
  z.object({ repeated: z.unknown().nonoptional() }),
  z.object({
    refused: quotaRefusal,
    quota: quotaShape,
  }),
  z.object({
    refused: z.enum(["request_in_progress", "request_id_conflict", "answer_expired"]),
    retry_after_sec: z.int().optional(),
  }),
]);

/** Marks the request as started and takes its quota, both or neither; returns what is known about the person. */
export async function beginRequest(
  sql: Sql | Transaction,
  request: RequestToBegin,
  settings: AdvisorSettings,
  now: Date,
): Promise<Beginning> {
  const { workspaceId, requestId, route, payloadHash, telegramUserId, locale, petId, wants } = request;
  const [row] = await sql`
    select advisor.begin_question(${workspaceId}, ${requestId}, ${route}, ${payloadHash}, ${telegramUserId},
      ${traceOf(settings, telegramUserId)}, ${locale}, ${petId},
      ${wants && JSON.stringify(wants)}::text::jsonb, ${JSON.stringify(plansOf(settings))}::text::jsonb,
      ${`${limits.staleMs} milliseconds`}::text::interval, ${limits.memory}, ${request.clientMessageId}, ${now}) as answer`;
  const read = answer.parse(row?.answer);
  if ("repeated" in read) return { kind: "repeated", response: read.repeated };
  if ("quota" in read) return { kind: "out_of_quota", why: read.refused, quota: read.quota };
  if ("refused" in read) throw conflict(read.refused, read.retry_after_sec);
  const { begun: attempt, user_id: userId, ...known } = read;
  return { kind: "begun", request: { attempt, userId, ...known } };
}

const conflicts = {
  request_in_progress: "This request is being answered right now; ask again in a moment.",
  request_id_conflict: "This request id was used for another request; make a new one.",
  answer_expired: "This request was answered, and the answer is no longer kept; ask anew under a new id.",
} as const;

function conflict(reason: keyof typeof conflicts, staleInSec: number | undefined): Refusal {
  // The answer usually arrives within seconds; the full time is the worst case.
  const retryAfterSec = staleInSec === undefined ? undefined : Math.min(staleInSec, 3);
  return new Refusal("conflict", reason, conflicts[reason], retryAfterSec ? { retryAfterSec } : {});
}
