import type { Clock } from "../../kernel/clock/index.ts";
import type { GuardedClient } from "../../kernel/outbound/index.ts";
import { cut } from "../../kernel/words/index.ts";
import { retryAfterHeader } from "../../platforms/index.ts";
import { signedHeaders } from "../signatures/standard-webhooks.ts";
import type { AttemptResult } from "./after-attempt.ts";
import { webhookLimits } from "./webhook-limits.ts";

export interface SignedPost {
  readonly url: string;
  /** The same in every attempt, so that the receiver can recognise a repeat. */
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly [string, ...string[]];
}

/** Sends one attempt. The address comes from a user: `guarded` checks it, and no redirect is followed. Never throws. */
export async function postWebhook(
  { url, id, body, secrets }: SignedPost,
  { guarded, clock }: { readonly guarded: GuardedClient; readonly clock: Clock },
): Promise<AttemptResult> {
  const answer = await guarded.request({
    method: "POST",
    url,
    headers: {
      "content-type": "application/json",
      ...signedHeaders({ id, sentAt: clock.now(), body }, secrets),
    },
    body,
    timeoutMs: webhookLimits.timeoutMs,
    maxBytes: webhookLimits.answerBytes,
    maxRedirects: 0,
  });
  if (answer.kind === "failure") return { error: cut(`${answer.reason}: ${answer.message}`, 500) };
  const { status } = answer;
  const text = shownText(answer.body);
  if (status >= 200 && status < 300) return { status, answer: text };
  const seconds = retryAfterHeader(answer, clock.now());
  return {
    status,
    answer: text,
    error: `the receiver answered ${status}`,
    ...(seconds !== undefined && { retryAfterMs: seconds * 1000 }),
  };
}

/** PostgreSQL stores no NUL. */
function shownText(body: Uint8Array): string {
  const beginning = body.subarray(0, webhookLimits.keptAnswer * 4);
  return cut(new TextDecoder().decode(beginning).replaceAll("\0", ""), webhookLimits.keptAnswer);
}
