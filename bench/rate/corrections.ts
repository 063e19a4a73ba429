import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { correct, createDispatcher } from "../../src/delivery/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { createPlatforms, noMedia } from "../../src/platforms/index.ts";
import { rounded } from "../shared/figures.ts";
import type { Harness } from "../shared/molva.ts";

/** One post in as many channels as the customer has, and the rate of the bot that has them all. */
const channels = 40;
const perSecond = 20;
/** Chats whose ids let them take a message a microsecond after the last: only the bot's rate is measured. */
const firstChat = -1_000_000;

export interface CorrectionFigures {
  /** Seconds that the rate itself needs. */
  readonly rate_needs: number;
  /** From the order to the last arrival: the post, as the control, and its correction. */
  readonly posted: number;
  readonly corrected: number;
  readonly of_rate: number;
}

/** Posts into all channels of a bot, then corrects the post in all of them; both within the bot's rate. */
export async function measureCorrections(harness: Harness, providerUrl: string): Promise<CorrectionFigures> {
  const { sql, workspaceId } = harness;
  await sql`
    insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps)
    values (${workspaceId}, 'telegram', 'corrected', ${perSecond})`;
  const filter = sql.json({ include_any: ["corrected"] });
  for (let number = 0; number < channels; number++)
    await sql`
      insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, rate_rps, route_filter)
      values (${workspaceId}, 'telegram', ${String(firstChat - number)}, 'bench', 'corrected', 1, ${filter})`;

  const http = createProviderClient({ defaultTimeoutMs: 5_000 });
  const platforms = createPlatforms({ TELEGRAM_API_ROOT: providerUrl, MAX_API_ROOT: providerUrl });
  const credentials = {
    ofPlatform: async () => ({ kind: "ready", credential: { token: "1:bench" } }) as const,
  };
  const dispatcher = createDispatcher({
    ...{ sql, http, platforms, credentials, clock: systemClock },
    concurrency: 50,
    sendingLeaseSeconds: 300,
    sendTimeoutSeconds: 30,
    log: createLog({ level: "error" }),
    metrics: createMetrics(),
    media: () => noMedia,
    payloads: { save: async () => "nowhere" },
  });
  await dispatcher.start();
  try {
    const raw = sql.json({ payload: { text: "Цена 100" }, tags: ["corrected"] });
    const began = Date.now();
    const [row] = await sql<[{ counts: { message_id: string } }]>`
      select delivery.enqueue_messages_and_deliveries(${workspaceId}, null, 'webhook_push', ${raw}, ${new Date()}) as counts`;
    const { message_id } = row.counts;
    const posted = await arrivedBy(providerUrl, channels, began);
    await until(sql, message_id, "deliveries", "sent");
    // What was just sent has used up the turns of this second and the next.
    await delay(2_000);
    const ordered = Date.now();
    const act = { operator: "bench", reason: "цена", now: systemClock.now() };
    await correct(
      { sql, clock: systemClock, platforms, credentials, providers: http },
      workspaceId,
      { message_id },
      { text: "Цена 200" },
      act,
    );
    const corrected = await arrivedBy(providerUrl, 2 * channels, ordered);
    await until(sql, message_id, "corrections", "done");
    const rate_needs = channels / perSecond;
    return { rate_needs, posted, corrected, of_rate: rounded(corrected / rate_needs, 3) };
  } finally {
    await dispatcher.stop();
    await http.close();
  }
}

const seen = z.record(z.string(), z.object({ arrivals: z.array(z.number()), refused: z.number() }));

/** Seconds from then until the provider has had so many requests. */
async function arrivedBy(providerUrl: string, count: number, since: number): Promise<number> {
  for (;;) {
    const chats = seen.parse(await (await fetch(providerUrl)).json());
    const ours = Object.entries(chats).filter(([chat]) => Number(chat) <= firstChat);
    const arrived = ours.reduce((sum, [, { arrivals }]) => sum + arrivals.length, 0);
    if (arrived >= count) return rounded((Date.now() - since) / 1_000, 3);
    await delay(5);
  }
}

async function until(
  sql: Harness["sql"],
  messageId: string,
  what: "deliveries" | "corrections",
  status: string,
): Promise<void> {
  for (;;) {
    const left = await sql`
      select from ${sql(`delivery.${what}`)} where message_id = ${messageId} and status <> ${status} limit 1`;
    if (left.length === 0) return;
    await delay(20);
  }
}
