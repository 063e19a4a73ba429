/** People who tap in the twin of Telegram, and how long they wait for the screen. */
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { z } from "zod";

export interface People {
  /** Somebody says something and waits for an answer of the bot. */
  say(chat: number, text: string): Promise<void>;
  /** Taps, and returns the milliseconds until the message has changed. */
  tap(chat: number, data: string): Promise<number>;
  /** The screen where each chat is. */
  readonly stands: Map<number, string>;
  /** Chats whose tap or words were not answered yet. */
  waiting(): number;
  close(): Promise<void>;
}

const event = z.object({
  type: z.literal("message"),
  chatId: z.string(),
  message: z.object({
    id: z.string(),
    author: z.object({ bot: z.boolean() }),
    buttons: z.array(z.unknown()),
    buttonsBelow: z.boolean().optional(),
  }),
});

export async function invitePeople(
  twinsUrl: string,
  bot: { readonly token: string; readonly username: string },
  chats: readonly number[],
): Promise<People> {
  const dispatcher = new Agent({ connections: 64, keepAliveTimeout: 60_000 });
  const post = async (path: string, body: object) => {
    const answer = await request(`${twinsUrl}/_control/telegram/${path}`, {
      ...{ method: "POST", dispatcher, body: JSON.stringify(body) },
      headers: { "content-type": "application/json" },
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
  };
  await post("bots", { ...bot, first_name: "SEO" });
  for (const id of chats)
    await post("chats", {
      ...{ id, type: "private", first_name: `Человек ${id}`, members: [{ bot: bot.username }] },
      language_code: "ru",
    });

  const live = new Map<string, string>();
  const expected = new Map<string, () => void>();
  const stream = await request(`${twinsUrl}/_control/stream`, { dispatcher: new Agent({ bodyTimeout: 0 }) });
  listen().catch(() => undefined);

  async function listen(): Promise<void> {
    let rest = "";
    for await (const chunk of stream.body) {
      rest += String(chunk);
      const parts = rest.split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) hear(part);
    }
  }

  function hear(part: string): void {
    if (!part.startsWith("data: ")) return;
    const read = event.safeParse(JSON.parse(part.slice("data: ".length)));
    if (!read.success) return;
    const { chatId, message } = read.data;
    if (!message.author.bot || message.buttons.length === 0 || message.buttonsBelow) return;
    live.set(chatId, message.id);
    expected.get(chatId)?.();
    expected.delete(chatId);
  }

  const shown = (chat: number) =>
    new Promise<void>((resolve) => {
      expected.set(String(chat), resolve);
    });

  return {
    async say(chat, text) {
      const answered = shown(chat);
      await post(`chats/${chat}/say`, { text });
      await answered;
    },
    async tap(chat, data) {
      const answered = shown(chat);
      const began = performance.now();
      await post(`chats/${chat}/press`, { message_id: live.get(String(chat)), data });
      await answered;
      return performance.now() - began;
    },
    stands: new Map(),
    waiting: () => expected.size,
    async close() {
      stream.body.destroy();
      await dispatcher.close();
    },
  };
}

/** Everybody taps from screen to screen, with a pause of their own between two taps. */
export async function tapping(
  people: People,
  chats: readonly number[],
  { seconds, pauseMs }: { readonly seconds: number; readonly pauseMs: number },
): Promise<number[]> {
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    chats.map(async (chat) => {
      for (let turn = 0; ; turn += 1) {
        await delay(pauseMs * (0.5 + Math.random()) * (turn === 0 ? Math.random() : 1));
        if (performance.now() > until) return;
        // Every tap leads elsewhere: a screen that stays the same would not be heard of.
        const to = people.stands.get(chat) === "page:projects:1" ? "dashboard" : "page:projects:1";
        people.stands.set(chat, to);
        latencies.push(await people.tap(chat, to));
      }
    }),
  );
  return latencies;
}
