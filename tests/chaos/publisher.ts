import { setTimeout as delay } from "node:timers/promises";
import { type Connection, type Harness, product } from "./harness.ts";
import type { Random } from "./random.ts";
import type { StormSettings } from "./settings.ts";

/** A step of the product that was answered. */
export interface PublishedStep {
  readonly number: number;
  readonly connection: Connection;
}

/** Numbers of addressed posts begin here, so that they differ from the others. */
const firstNumber = 1_000_001;
const askAgainMs = 200;
/** About as many posts for each connection as for each channel. */
const perSecond = 0.4;

/** A product that publishes evenly over the whole time, and each step again until it is answered; some twice at once. */
export async function publishAll(
  { seconds }: StormSettings,
  harness: Harness,
  random: Random,
): Promise<PublishedStep[]> {
  const { connections } = harness;
  const steps = Math.round(seconds * perSecond * connections.length);
  const began = performance.now();
  const published: Promise<PublishedStep>[] = [];
  for (let step = 0; step < steps; step++) {
    await delay(Math.max(0, began + (step / steps) * seconds * 1_000 - performance.now()));
    const connection = connections[step % connections.length];
    if (!connection) break;
    const number = firstNumber + step;
    published.push(publish(number, connection, harness));
    if (random.next() < 0.3) published.push(publish(number, connection, harness));
  }
  const all = await Promise.all(published);
  return [...new Map(all.map((each) => [each.number, each])).values()];
}

async function publish(number: number, connection: Connection, harness: Harness): Promise<PublishedStep> {
  const { sql, workspaceId } = harness;
  const promise = {
    ...{ product, user: connection.chat.id, run: "storm", step: String(number), task: "press.heard" },
    ...(number % 3 === 0 && { wait_until: new Date(Date.now() + 4_000) }),
  };
  const post = {
    source_ref: `chaos-${number}`,
    channel_ids: [connection.channelId],
    payload: { text: `№${number}. Адресный пост: мост открыт.` },
  };
  for (;;) {
    try {
      await sql`select delivery.enqueue_addressed(
        ${workspaceId}, ${JSON.stringify(promise)}::text::jsonb, ${JSON.stringify(post)}::text::jsonb)`;
      return { number, connection };
    } catch (error) {
      // The database is unavailable; a statement that it refused would be a bug of the test.
      if (error instanceof Error && "code" in error && /^2[23]/.test(String(error.code))) throw error;
      await delay(askAgainMs);
    }
  }
}
