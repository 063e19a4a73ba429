import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { GuardedClient } from "../../kernel/outbound/index.ts";
import type { Credentials } from "../../workspaces/index.ts";
import { type AfterAttempt, type AttemptResult, afterAttempt } from "./after-attempt.ts";
import { postWebhook } from "./post-webhook.ts";
import { webhookLimits } from "./webhook-limits.ts";

export interface WebhookDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  /** The addresses come from users. */
  readonly guarded: GuardedClient;
  readonly credentials: Pick<Credentials, "token">;
}

/** A message that this process has taken. */
export const takenShape = z.object({
  workspace_id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  attempts: z.int(),
  tries: z.int(),
  body: z.string(),
  url: z.string(),
  secret_ref: z.string(),
  previous_secret_ref: z.string().nullable(),
});
export type TakenMessage = z.infer<typeof takenShape> & { readonly token: string };

/** Sends a message that was taken and records how that ended. A `test` is not tried again. */
export async function sendMessage(
  message: TakenMessage,
  deps: WebhookDeps,
  { test = false }: { test?: boolean } = {},
): Promise<AttemptResult> {
  const startedAt = deps.clock.now();
  const began = performance.now();
  const result = await attempt(message, deps);
  const now = deps.clock.now();
  const after = afterAttempt(result, message.tries, now);
  await settle(message, result, test ? { ...after, nextAt: null } : after, deps, {
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(performance.now() - began),
  });
  return result;
}

async function attempt(message: TakenMessage, deps: WebhookDeps): Promise<AttemptResult> {
  const { workspace_id, event_id, url, body, secret_ref, previous_secret_ref } = message;
  const secretOf = (ref: string) => deps.credentials.token(workspace_id, ref);
  try {
    const secret = await secretOf(secret_ref);
    if (!secret) return { error: "the webhook's secret is missing: molva webhook rotate makes another" };
    const previous = previous_secret_ref ? await secretOf(previous_secret_ref) : undefined;
    const secrets = [secret, ...(previous ? [previous] : [])] as const;
    return await postWebhook({ url, id: event_id, body, secrets }, deps);
  } catch (error) {
    deps.log.error({ err: error, webhook_id: message.webhook_id }, "a webhook failed unexpectedly");
    return { error: `unexpected error: ${messageOf(error)}` };
  }
}

async function settle(
  { workspace_id, webhook_id, event_id, token, attempts }: TakenMessage,
  { status, answer, error }: AttemptResult,
  { nextAt, gone }: AfterAttempt,
  { sql, clock }: WebhookDeps,
  times: { readonly started_at: string; readonly duration_ms: number },
): Promise<void> {
  const attempted = { number: attempts, ...times, response_status: status, response_body: answer, error };
  await sql`
    select delivery.settle_webhook_attempt(
      ${workspace_id}, ${webhook_id}, ${event_id}, ${token}, ${JSON.stringify(attempted)}::text::jsonb, ${nextAt}, ${gone},
      make_interval(secs => ${webhookLimits.givenUpAfterMs / 1000}), ${clock.now()})`;
}
