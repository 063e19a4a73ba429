import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { problem } from "../../http/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { noWebhook, readMessage, readWebhook } from "./read-webhooks.ts";
import { sendMessage, takenShape, type WebhookDeps } from "./send-message.ts";
import { testType } from "./webhook-event.ts";
import { webhookLimits } from "./webhook-limits.ts";
import type { webhookTestResult } from "./webhook-shape.ts";

/** What is sent again: one message, or all that failed since a time. */
export type Replay = { readonly eventId: string } | { readonly failedSince: Date };

/** Sends messages again under the ids they had. Returns how many. */
export async function replayMessages(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  webhookId: string,
  replay: Replay,
  by: By,
): Promise<number> {
  const { enabled } = await readWebhook(sql, workspaceId, webhookId);
  if (!enabled) throw problem("conflict", { detail: "The webhook is disabled: enable it, then replay." });
  if ("eventId" in replay) await readMessage(sql, workspaceId, webhookId, replay.eventId);
  const eventId = "eventId" in replay ? replay.eventId : null;
  const failedSince = "failedSince" in replay ? replay.failedSince : null;
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const [row] = await tx<[{ count: number }]>`
      select delivery.replay_webhook_messages(${workspaceId}, ${webhookId}, ${eventId}, ${failedSince}, ${now}) as count`;
    const meta = {
      ...{ object: "webhook", webhook_id: webhookId, replayed: row.count },
      ...(eventId !== null && { event_id: eventId }),
      ...(failedSince !== null && { failed_since: failedSince.toISOString() }),
    };
    await noteChange(tx, { workspaceId, now, by, meta });
    return row.count;
  });
}

/** Sends a test message at once, enabled or not, and says whether it arrived. It is in the log as any other. */
export async function testWebhook(
  deps: WebhookDeps,
  workspaceId: string,
  webhookId: string,
): Promise<z.infer<typeof webhookTestResult>> {
  const { sql, clock } = deps;
  const now = clock.now();
  const token = randomUUID();
  const eventId = uuidv7(clock);
  const [row] = await sql`
    with test as (
      insert into delivery.webhook_messages (
        workspace_id, webhook_id, event_id, type, payload, attempts, tries, due_at, taken_by, created_at)
      select w.workspace_id, w.webhook_id, ${eventId}, ${testType},
        delivery.webhook_payload(${testType}, w.workspace_id, ${eventId}, ${now}, null, null, null, 0, null, '{}'), 1, 1,
        ${new Date(now.getTime() + webhookLimits.leaseMs)}, ${token}, ${now}
      from delivery.webhooks w
      where w.workspace_id = ${workspaceId} and w.webhook_id = ${webhookId}
      returning *
    )
    select t.workspace_id, t.webhook_id, t.event_id, t.attempts, t.tries, t.payload::text as body, w.url, w.secret_ref,
      case when w.previous_ends_at > ${now} then w.previous_secret_ref end as previous_secret_ref
    from test t
    join delivery.webhooks w using (workspace_id, webhook_id)`;
  if (!row) throw noWebhook(webhookId);
  const { status, error } = await sendMessage({ ...takenShape.parse(row), token }, deps, { test: true });
  return {
    event_id: eventId,
    delivered: error === undefined,
    response_status: status ?? null,
    error: error ?? null,
  };
}
