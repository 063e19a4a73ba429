import { type ManualClock, manualClock } from "../../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../../kernel/crypto/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { silentLog } from "../../../kernel/log/index.ts";
import { createMetrics } from "../../../kernel/metrics/index.ts";
import { createGuardedClient } from "../../../kernel/outbound/index.ts";
import { createTokens } from "../../../workspaces/index.ts";
import { aChannel, aWorkspace, enqueue } from "../../testing/builders.ts";
import type { OwnDatabase } from "../../testing/own-database.ts";
import { addWebhook } from "../change-webhooks.ts";
import { createWebhookSender } from "../webhook-sender.ts";
import type { NewWebhook, WebhookWithSecret } from "../webhook-shape.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const by = { operator: "anna", reason: "проверка" };

/** A workspace with a channel, a receiver, and senders whose rounds are made by hand. */
export async function startWebhookHarness({ sql, drop }: OwnDatabase) {
  const clock: ManualClock = manualClock(new Date());
  const receivers: Receiver[] = [await startReceiver(), await startReceiver()];
  const guarded = createGuardedClient({ allowHosts: receivers.map(({ host }) => host) });
  const vault = createVault([generateKey()]);
  const credentials = createTokens(sql, vault, { valueOf: () => undefined });
  const deps = { sql, clock, log: silentLog, guarded, credentials, vault, httpsOnly: false };
  const aSender = () => createWebhookSender({ ...deps, metrics: createMetrics() });
  const sender = aSender();
  const [receiver, other] = receivers as [Receiver, Receiver];

  return {
    ...{ sql, clock, deps, sender, aSender, receiver, other },
    workspace: () => aWorkspaceWithChannel(sql),
    add: (workspaceId: string, given: Partial<NewWebhook> = {}): Promise<WebhookWithSecret> =>
      addWebhook(deps, workspaceId, { url: receiver.url, ...given }, by),
    /** Sends all that is due. */
    async send(worker = sender): Promise<void> {
      do {
        await worker.round();
        await worker.drained();
      } while (await isDue(sql, clock.now()));
    },
    deliver: (
      workspaceId: string,
      outcome: Outcome = { kind: "sent", provider_message_id: "7" },
      count = 1,
    ) => deliver(sql, workspaceId, outcome, count, clock),
    messages: (webhookId: string) => sql`
      select * from delivery.webhook_messages where webhook_id = ${webhookId} order by event_id`,
    attempts: (webhookId: string) => sql`
      select * from delivery.webhook_attempts where webhook_id = ${webhookId} order by event_id, number`,
    async stop() {
      await Promise.all(receivers.map((one) => one.close()));
      await guarded.close();
      await drop();
    },
  };
}
export type WebhookHarness = Awaited<ReturnType<typeof startWebhookHarness>>;

type Outcome = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

async function aWorkspaceWithChannel(sql: Sql) {
  const workspaceId = await aWorkspace(sql);
  return { workspaceId, channelId: await aChannel(sql, workspaceId, { max_parallel: 1000 }) };
}

let number = 0;

/** Posts that are carried to the end by the queue's own functions, in one batch. */
async function deliver(sql: Sql, workspaceId: string, outcome: Outcome, count: number, clock: ManualClock) {
  const now = clock.now();
  for (let n = 0; n < count; n++) await enqueue(sql, workspaceId, `Новость ${number++}`, { now });
  await sql`select * from delivery.claim_deliveries(${workspaceId}, 'run', ${count}, ${now})`;
  const started = await sql<{ delivery_id: string; claim_token: string }[]>`
    select delivery_id, claim_token from delivery.start_sending(${workspaceId}, 'run', ${count}, ${now})`;
  const outcomes = started.map(({ delivery_id, claim_token }) => ({
    ...outcome,
    delivery_id,
    token: claim_token,
  }));
  await sql`select * from delivery.settle_deliveries(${workspaceId}, ${sql.json(outcomes)}, ${now})`;
  return started.map(({ delivery_id }) => delivery_id);
}

async function isDue(sql: Sql, now: Date): Promise<boolean> {
  const rows = await sql`
    select from delivery.webhook_messages join workspaces.workspaces w using (workspace_id)
    where webhook_messages.status = 'waiting' and due_at <= ${now} and w.status = 'active' limit 1`;
  return rows.length > 0;
}
