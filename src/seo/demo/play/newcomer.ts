/** Somebody who has never seen the bot, in the twin of Telegram. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { callTwins } from "../../../delivery/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { botName } from "../../bot/bot-name.ts";
import { pace } from "../../bot/limits.ts";
import { demoSeoBot } from "../seed-seo-bot.ts";

const button = z.object({ text: z.string() });
const message = z.object({
  id: z.string(),
  text: z.string(),
  author: z.object({ bot: z.boolean() }),
  buttons: z.array(z.array(button)),
});
export type Seen = z.infer<typeof message>;

export interface Newcomer {
  readonly id: number;
  /** How often they wrote and tapped so far. */
  readonly effort: { typed: number; taps: number };
  say(text: string): Promise<void>;
  sendFile(name: string, content: string): Promise<void>;
  /** Taps the last button whose label begins so; false if there is none yet. */
  press(label: string): Promise<boolean>;
  /** Taps with an address, as a button of an older message would. */
  open(address: string): Promise<void>;
  /** Pays the last invoice; false if there is none yet. */
  pays(): Promise<boolean>;
  sees(words: string): Promise<boolean>;
  messages(): Promise<Seen[]>;
}

export async function aNewcomer(twinsUrl: string, sql: Sql, id: number): Promise<Newcomer> {
  const telegram = `/_control/telegram/chats/${id}`;
  await callTwins(twinsUrl, "POST", "/_control/telegram/chats", {
    ...{
      id,
      type: "private",
      first_name: "Ирина",
      language_code: "ru",
      members: [{ bot: demoSeoBot.username }],
    },
  });
  const effort = { typed: 0, taps: 0 };
  const messages = async () =>
    z
      .object({ messages: z.array(message) })
      .parse(await callTwins(twinsUrl, "GET", `/_control/chats/telegram/${id}/messages?limit=100`)).messages;
  const sent: number[] = [];

  function done(what: "typed" | "taps"): void {
    effort[what] += 1;
    sent.push(performance.now());
  }

  /** People are slower than this; the bot drops what comes faster. */
  async function atPace(): Promise<void> {
    while (await isBusy()) await delay(100);
    const now = performance.now();
    const oldest = sent.at(-(pace.perMinute - 2));
    if (oldest !== undefined && now - oldest < 61_000) await delay(61_000 - (now - oldest));
  }

  /** The bot has not shown everything yet. */
  async function isBusy(): Promise<boolean> {
    const behind = await sql`
      select from dialogs.dialogues d where bot = ${botName} and chat_id = ${String(id)} and (
        shown_revision < revision or work_id is not null or exists (
          select from dialogs.inbox i where i.bot = d.bot and i.chat_id = d.chat_id and i.done_at is null))`;
    return behind.length > 0;
  }

  async function placeOf(label: string) {
    const shown = (await messages()).findLast(({ buttons }) =>
      buttons.flat().some(({ text }) => text.startsWith(label)),
    );
    const row = shown?.buttons.findIndex((each) => each.some(({ text }) => text.startsWith(label))) ?? -1;
    const column = shown?.buttons[row]?.findIndex(({ text }) => text.startsWith(label)) ?? -1;
    return shown && { message_id: shown.id, row, column };
  }

  async function press(label: string): Promise<boolean> {
    await atPace();
    const place = await placeOf(label);
    if (!place) return false;
    done("taps");
    await callTwins(twinsUrl, "POST", `${telegram}/press`, place);
    return true;
  }

  return {
    ...{ id, effort, messages, press },
    async pays() {
      const invoice = (await messages()).findLast(({ text }) => text.includes("⭐️"));
      if (!invoice || invoice.buttons.length === 0) return false;
      done("taps");
      await callTwins(twinsUrl, "POST", `${telegram}/press`, { message_id: invoice.id, row: 0, column: 0 });
      return true;
    },
    async say(text) {
      await atPace();
      done("typed");
      await callTwins(twinsUrl, "POST", `${telegram}/say`, { text });
    },
    async sendFile(name, content) {
      await atPace();
      done("typed");
      const data = `data:text/plain;base64,${Buffer.from(content).toString("base64")}`;
      await callTwins(twinsUrl, "POST", `${telegram}/say`, { file: { kind: "document", name, data } });
    },
    async open(data) {
      await atPace();
      done("taps");
      const last = (await messages()).findLast(({ author }) => author.bot);
      await callTwins(twinsUrl, "POST", `${telegram}/press`, { message_id: last?.id, data });
    },
    sees: async (words) => (await messages()).some(({ text, author }) => author.bot && text.includes(words)),
  };
}
