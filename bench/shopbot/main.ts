import { setTimeout as delay } from "node:timers/promises";
import { startChild } from "../shared/child.ts";
import { percentile, rounded } from "../shared/figures.ts";
import { bring } from "../shared/load.ts";
import { measure, spread } from "../shared/measurement.ts";
import type { Server } from "../shared/postgres.ts";
import { openShop, type Shop } from "./shop.ts";

const chats = 200;

/** How fast the webhook answers while the messenger is slow, and how many messages a second are answered in order. */
export function main(args: string[]): Promise<void> {
  return measure(args, { seconds: 20, rate: 500 }, async ({ server, say, numbers }) => {
    const { seconds, rate } = numbers;
    return [
      {
        name: "webhook",
        title: "webhook, ms, replies waiting 2 s each",
        figures: await slowMessenger(server, seconds, say),
      },
      {
        name: "throughput",
        title: `${rate} messages a second over ${chats} chats`,
        figures: await fastMessenger(server, seconds, rate, say),
      },
    ];
  });
}

const message = (index: number) => ({
  provider: "max",
  chat_id: String(10_000 + (index % chats)),
  provider_message_id: `m-${index}`,
  text: `вопрос ${Math.floor(index / chats)}`,
});

/** Compiled, connected and planned before the clock starts; in chats that are not counted. */
async function warmUp(shop: Shop, headers: Record<string, string>): Promise<void> {
  const count = 300;
  const body = (index: number) => ({ ...message(index), chat_id: `warm-${index % 50}` });
  await bring({ url: shop.webhook, headers, perSecond: 100, count, body });
  await allArrived(shop, count, (chat) => chat.startsWith("warm-"));
}

/** The provider's own ceiling of a hundred notifications a second, while every reply takes two seconds. */
async function slowMessenger(server: Server, seconds: number, say: (text: string) => void) {
  say("webhook while the messenger takes 2 s for a message …");
  const bare = await startChild(new URL("../latency/bare-server.js", import.meta.url), {});
  const load = { headers: {}, perSecond: 100, count: 100 * seconds, body: message };
  const control = await bring({ ...load, url: bare.url });
  await bare.stop();
  const shop = await openShop(server, 2_000);
  try {
    const headers = { "x-max-bot-api-secret": shop.secret };
    await warmUp(shop, headers);
    const { latencies } = await bring({ ...load, url: shop.webhook, headers });
    return { ...spread(latencies), control_p99: spread(control.latencies).p99 };
  } finally {
    await shop.stop();
  }
}

async function fastMessenger(server: Server, seconds: number, rate: number, say: (text: string) => void) {
  say(`${rate} messages a second over ${chats} chats …`);
  const shop = await openShop(server, 0);
  try {
    const headers = { "x-max-bot-api-secret": shop.secret };
    await warmUp(shop, headers);
    const count = rate * seconds;
    const began = Date.now();
    const brought = await bring({ url: shop.webhook, headers, perSecond: rate, count, body: message });
    const arrived = await allArrived(shop, count);
    const answeredFor = ((arrived.at(-1)?.at ?? began) - began) / 1000;
    return {
      brought_per_second: rounded(count / brought.seconds, 0),
      answered_per_second: rounded(count / answeredFor, 0),
      answered_after_last_question_s: rounded(Math.max(0, answeredFor - brought.seconds)),
      webhook_p99_ms: rounded(percentile(brought.latencies, 0.99)),
      answers: arrived.length,
      chats_in_order: inOrder(arrived),
    };
  } finally {
    await shop.stop();
  }
}

async function allArrived(shop: Shop, count: number, counted = (chat: string) => !chat.startsWith("warm-")) {
  const deadline = Date.now() + 180_000;
  for (;;) {
    const arrived = (await shop.arrived()).filter(({ chat }) => counted(chat));
    if (arrived.length >= count) return arrived;
    if (Date.now() > deadline) throw new Error(`only ${arrived.length} of ${count} were answered in time`);
    await delay(1_000);
  }
}

/** In how many chats the answers came once each, in the order of the questions. */
function inOrder(arrived: readonly { chat: string; text: string }[]): number {
  const byChat = new Map<string, string[]>();
  for (const { chat, text } of arrived) byChat.set(chat, [...(byChat.get(chat) ?? []), text]);
  return [...byChat.values()].filter((texts) =>
    texts.every((text, index) => text === `Отвечаю на вопрос ${index}`),
  ).length;
}
