import { randomUUID } from "node:crypto";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { createWorker, idle, msUntil, type Worker } from "../../kernel/worker/index.ts";
import { deliveryMetrics } from "../metrics.ts";
import { sendMessage, type TakenMessage, takenShape, type WebhookDeps } from "./send-message.ts";
import { webhookLimits } from "./webhook-limits.ts";

/** How soon it looks again for a message that is due by now. */
const lookAgainMs = 1;

/**
 * Sends the messages of webhooks when they are due. Any number of processes may run one. A message that was sent but not
 * recorded, because its process died, is sent again under the same id. Order is not kept.
 */
export function createWebhookSender(deps: WebhookDeps & { readonly metrics: Metrics }): Worker<TakenMessage> {
  const { sql, clock, log } = deps;
  const attempts = deps.metrics.counter({ ...deliveryMetrics.webhookAttempts, labels: ["outcome"] });
  return createWorker<TakenMessage>({
    name: "webhook sender",
    log,
    trouble: "webhooks could not be sent",
    notices: { sql, channel: "molva_webhooks" },
    places: webhookLimits.atOnce,
    async round({ free, begin }) {
      if (free === 0) return idle;
      const now = clock.now();
      const taken = await takeMessages(deps, free, now);
      taken.forEach(begin);
      if (taken.length === free) return idle;
      const [next] = await sql<[{ at: Date | null }]>`select delivery.next_webhook_at(${now}) as at`;
      return msUntil(next.at, clock, lookAgainMs);
    },
    async run(message) {
      const { error } = await sendMessage(message, deps);
      attempts.inc({ outcome: error === undefined ? "sent" : "failed" });
    },
  });
}

async function takeMessages({ sql }: WebhookDeps, most: number, now: Date): Promise<TakenMessage[]> {
  const token = randomUUID();
  const rows = await sql`
    select * from delivery.claim_webhook_messages(
      ${most}, ${webhookLimits.perWebhook}, make_interval(secs => ${webhookLimits.leaseMs / 1000}), ${token}, ${now})`;
  return rows.map((row) => ({ ...takenShape.parse(row), token }));
}
