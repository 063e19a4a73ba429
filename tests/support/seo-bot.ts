import { billing } from "../../src/billing/index.ts";
import { delivery, demo } from "../../src/delivery/index.ts";
import { http } from "../../src/http/index.ts";
import { llm } from "../../src/llm/index.ts";
import type { Module } from "../../src/module/index.ts";
import { botName } from "../../src/seo/bot/bot-name.ts";
import { botServices } from "../../src/seo/bot/bot-services.ts";
import type { BotServices } from "../../src/seo/bot/services.ts";
import { demoSeoBot } from "../../src/seo/demo/seed-seo-bot.ts";
import { seo } from "../../src/seo/index.ts";
import { type Core, workspaces } from "../../src/workspaces/index.ts";
import { type RunningSystem, type RunningSystemOptions, startSystem } from "./running-system.ts";
import { until } from "./until.ts";

export interface SeenButton {
  readonly text: string;
  readonly url?: string;
  readonly copy?: string;
  readonly style?: string;
}

export interface SeenMessage {
  readonly id: string;
  readonly text: string;
  readonly author: { readonly bot: boolean };
  readonly buttons: readonly (readonly SeenButton[])[];
  /** The buttons are the keyboard below the chat. */
  readonly buttonsBelow?: boolean;
  readonly media?: readonly { readonly kind: string; readonly url: string; readonly name?: string }[];
}

/** A person who talks with SEO Master in the twin of Telegram. */
export interface SeoPerson {
  readonly id: number;
  say(text: string): Promise<void>;
  send(media: Record<string, unknown>, caption?: string): Promise<void>;
  /** Taps the last button with this label, once everything is shown. */
  press(label: string, copies?: number): Promise<string | undefined>;
  /** Taps with any payload, as a hostile client could, on the last message of the bot. */
  tap(data: string): Promise<string | undefined>;
  /** Waits for a message of the bot that has these words. */
  sees(words: string): Promise<SeenMessage>;
  /** Waits until the bot has said everything, and returns its last message. */
  screen(): Promise<SeenMessage>;
  messages(): Promise<SeenMessage[]>;
  /** Waits until the bot has said everything and nothing is being written for the person, and returns the whole chat. */
  rests(): Promise<SeenMessage[]>;
  /** Taps that button of that message, and returns what pops up. */
  pressAt(messageId: string, row: number, column: number, copies?: number): Promise<string | undefined>;
  /** Waits until the bot has said everything, and returns the buttons of the last message that has any. */
  labels(): Promise<string[]>;
  /** Where the dialogue stands: `ProjectCreate.name`, `screen:dashboard`. */
  stands(): Promise<string>;
  balance(): Promise<number>;
  /** Lets the time pass after which a dialogue with somebody silent ends. */
  fallSilent(): Promise<void>;
}

export interface SeoBotHarness {
  readonly running: RunningSystem;
  readonly workspaceId: string;
  readonly sql: RunningSystem["database"]["sql"];
  /** The services of the running bot, to prepare what a test needs, and what they are made of. */
  readonly services: BotServices;
  readonly core: Core;
  person(given?: {
    readonly id?: number;
    readonly language?: string;
    readonly name?: string;
    /** Their updates are counted; the bot drops what comes too fast. Otherwise a test takes as many steps as it likes. */
    readonly hurried?: boolean;
  }): Promise<SeoPerson>;
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  close(): Promise<void>;
}

/** Numbers have spaces that do not break, which nobody types. */
export const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

let lastPerson = 910_000;
function nextPerson(): number {
  lastPerson += 1;
  return lastPerson;
}

/** The whole system with the bot, the demo's site and channel, and every provider's twin. */
export async function startSeoBot(options: RunningSystemOptions = {}): Promise<SeoBotHarness> {
  let services: BotServices | undefined;
  let core: Core | undefined;
  const watched: Module = {
    ...seo,
    wire(given) {
      core = given;
      services = botServices(given);
      return seo.wire(given);
    },
  };
  const running = await startSystem({
    modules: [http, workspaces, delivery, llm, billing, watched],
    business: true,
    ...options,
  });
  if (!services || !core) throw new Error("SEO Master was not wired");
  const { sql } = running.database;
  await withoutPauses(sql);

  async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${running.twinsUrl}/_control${path}`, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  /** Updates that the bot has not fetched yet. */
  async function pending(): Promise<number> {
    const answer = await fetch(`${running.twinsUrl}/telegram/bot${demoSeoBot.token}/getWebhookInfo`);
    return JSON.parse(await answer.text()).result.pending_update_count;
  }

  async function person({
    id = nextPerson(),
    language = "ru",
    name,
    hurried = false,
  }: Parameters<SeoBotHarness["person"]>[0] = {}): Promise<SeoPerson> {
    await control("POST", "/telegram/chats", {
      ...{ id, type: "private", first_name: name ?? `Ирина ${id}`, members: [{ bot: demoSeoBot.username }] },
      language_code: language,
    });
    const messages = async () =>
      (await control<{ messages: SeenMessage[] }>("GET", `/chats/telegram/${id}/messages?limit=100`))
        .messages;
    const settled = ({ works = false } = {}) =>
      until(
        "the bot has shown what it has to show",
        async () => {
          // Updates are stored before Telegram is told that they came: asked in this order, none is missed.
          if ((await pending()) > 0) return false;
          const [row] = await sql<[{ busy: boolean }]>`
            select exists (
              select from dialogs.dialogues d where bot = ${botName} and chat_id = ${String(id)} and (
                shown_revision < revision or (work_id is not null) or exists (
                  select from dialogs.inbox i where i.bot = d.bot and i.chat_id = d.chat_id and i.done_at is null)))
            or ${works} and exists (
              select from seo.runs where user_id = ${id} and status in ('queued', 'running', 'publishing')) as busy`;
          return !row.busy;
        },
        works ? 200_000 : undefined,
      );
    const atLeisure = async () => {
      if (!hurried)
        await sql`update dialogs.dialogues set minute_count = 0 where bot = ${botName} and chat_id = ${String(id)}`;
    };
    const say = async (body: Record<string, unknown>) => {
      await atLeisure();
      await control("POST", `/telegram/chats/${id}/say`, body);
    };
    const tapAt = async (place: Record<string, unknown>) => {
      await atLeisure();
      const { callback_query_id } = await control<{ callback_query_id?: string }>(
        "POST",
        `/telegram/chats/${id}/press`,
        place,
      );
      if (callback_query_id === undefined) return undefined;
      const { text } = await until("the tap is taken", async () => {
        const path = `/telegram/callbacks/${callback_query_id}`;
        const answer = await control<{ answered: boolean; text?: string }>("GET", path);
        return answer.answered && answer;
      });
      return text;
    };
    return {
      ...{ id, messages },
      say: (text) => say({ text }),
      send: (media, text = "") => say({ text, ...media }),
      async press(label, copies = 1) {
        await settled();
        const place = await until(`there is a button ${label}`, async () => {
          const fits = ({ text }: SeenButton) => plain(text) === plain(label);
          const message = (await messages()).findLast(({ buttons }) => buttons.flat().some(fits));
          const row = message?.buttons.findIndex((each) => each.some(fits)) ?? -1;
          const column = message?.buttons[row]?.findIndex(fits);
          return message && { message_id: message.id, row, column };
        });
        return tapAt({ ...place, copies });
      },
      pressAt: (message_id, row, column, copies = 1) => tapAt({ message_id, row, column, copies }),
      async tap(data) {
        await settled();
        const message = (await messages()).findLast(({ author }) => author.bot);
        return tapAt({ message_id: message?.id, data });
      },
      sees: (words) =>
        until(`the bot says “${words}”`, async () =>
          (await messages()).findLast(({ text, author }) => author.bot && plain(text).includes(plain(words))),
        ),
      async screen() {
        await settled();
        return until("the bot has said something", async () =>
          (await messages()).findLast(({ author }) => author.bot),
        );
      },
      async rests() {
        await settled({ works: true });
        return messages();
      },
      async labels() {
        await settled();
        const last = (await messages()).findLast(({ buttons }) => buttons.length > 0);
        return last?.buttons.flat().map(({ text }) => text) ?? [];
      },
      async stands() {
        await settled();
        const [row] = await sql<{ flow: string | null; state: string | null; at: string | null }[]>`
          select flow, state, at from dialogs.dialogues where bot = ${botName} and chat_id = ${String(id)}`;
        if (row?.flow) return `${row.flow}.${row.state}`;
        return row?.at ? `screen:${row.at}` : "nowhere";
      },
      async balance() {
        const [row] = await sql<{ balance: number }[]>`
          select balance::int from seo.users_with_balance where workspace_id = ${demo.workspaceId} and id = ${id}`;
        return row?.balance ?? 0;
      },
      async fallSilent() {
        await sql`
          update dialogs.dialogues set expires_at = now() - interval '1 second'
          where bot = ${botName} and chat_id = ${String(id)}`;
        // The engine sleeps until something happens.
        await sql`select pg_notify('molva_dialogs', ${`${demo.workspaceId}/${botName}`})`;
      },
    };
  }

  return {
    ...{ running, sql, services, core, person, control, workspaceId: demo.workspaceId },
    close: () => running.stop(),
  };
}

/** Sites get their pictures and posts one a second, which most tests need not wait for: channels of these tests have no such pause. */
async function withoutPauses(sql: RunningSystem["database"]["sql"]): Promise<void> {
  await sql.unsafe(`
    create function delivery.without_pause() returns trigger language plpgsql as $$
      begin new.rate_rps := null; return new; end $$;
    create trigger without_pause before insert on delivery.channels
      for each row when (new.platform = 'wordpress') execute function delivery.without_pause()`);
  await sql`update delivery.channels set rate_rps = null where platform = 'wordpress'`;
}
