import { type AdvisorBotSettings, advisorBot, botName } from "../../src/advisorbot/index.ts";
import { createTelegramBot } from "../../src/dialogs/index.ts";
import { createKeyValue } from "../../src/kernel/kv/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { type AdvisorHarness, advisorHarness, token } from "./advisor.ts";
import { until } from "./until.ts";

const bot = { token: `2007:${"P".repeat(35)}`, username: "advice_bot", first_name: "Советник" } as const;

interface SeenMessage {
  readonly id: string;
  readonly text: string;
  readonly author: { readonly bot: boolean };
  readonly buttons: readonly (readonly { readonly text: string }[])[];
}

/** The bot in the twin of Telegram, with the advisor behind real HTTP. */
export interface BotHarness {
  readonly advisor: AdvisorHarness;
  /** A new person, optionally one who has agreed or has Pro. */
  person(given?: Newcomer): Promise<Person>;
  /** Stops the bot; another process takes over. */
  restart(settings?: Partial<AdvisorBotSettings>): Promise<void>;
  stopBot(): Promise<void>;
  /** The journal of a provider, newest last. */
  calls(provider: string, method: string): Promise<{ request: unknown }[]>;
  /** Makes the models fail in this way, for this many calls. */
  models(fault: Record<string, unknown>, times?: number): Promise<void>;
  /** How many calls of models this person's questions made. */
  answersOf(person: Person): Promise<number>;
  close(): Promise<void>;
}

export interface Newcomer {
  readonly plan?: "free" | "pro";
  readonly agreed?: boolean;
  readonly language?: string;
}

export interface Person {
  readonly id: number;
  say(text: string): Promise<void>;
  send(media: Record<string, unknown>, caption?: string): Promise<void>;
  press(label: string, copies?: number): Promise<string>;
  /** Waits for a message of the bot that has these words. */
  sees(words: string): Promise<SeenMessage>;
  messages(): Promise<SeenMessage[]>;
  /** Waits until the bot has said everything and does no work for the person. */
  rests(): Promise<void>;
  /** Buttons under the last message that has any. */
  labels(): Promise<string[]>;
  block(blocked: boolean): Promise<void>;
}

let lastPerson = 900_000;

export async function botHarness(
  given: { advisor?: Parameters<typeof advisorHarness>[0]; bot?: Partial<AdvisorBotSettings> } = {},
): Promise<BotHarness> {
  const advisor = await advisorHarness(given.advisor);
  const { twins, database } = advisor;
  await twins.control("POST", "/telegram/bots", bot);
  const http = createProviderClient();
  const keyValue = await createKeyValue({ sql: database.sql, redisUrl: undefined, log: silentLog });
  await database.sql`
    insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
    values (${advisor.workspaceId}, ${botName}, 'telegram', 'env:BOT')`;
  const settings: AdvisorBotSettings = {
    ...{ http, clock: advisor.clock, proContact: undefined },
    backend: { url: () => advisor.server.url(), token, pausesMs: [1, 1] },
    ...given.bot,
  };
  const aProcess = (changed: Partial<AdvisorBotSettings> = {}) =>
    createTelegramBot(advisorBot({ ...settings, ...changed }), {
      ...{ sql: database.sql, clock: advisor.clock, log: silentLog, http, keyValue },
      ...{ apiRoot: `${twins.url}/telegram`, webhooksAt: () => undefined, token: async () => bot.token },
    });
  let running = aProcess();
  await running.start();

  async function person({ plan = "free", agreed = true, language = "ru" }: Newcomer = {}): Promise<Person> {
    lastPerson += 1;
    const id = lastPerson;
    await twins.control("POST", "/telegram/chats", {
      ...{ id, type: "private", first_name: `Ирина ${id}`, members: [{ bot: bot.username }] },
      language_code: language,
    });
    if (agreed || plan === "pro")
      await advisor.call("POST", "/v1/consents", {
        ...{ user: { telegram_user_id: id }, terms_accepted: agreed, data_policy_accepted: agreed },
      });
    if (plan === "pro")
      await database.sql`update advisor.users set plan = 'pro' where telegram_user_id = ${id}`;
    const messages = async () =>
      (await twins.control<{ messages: SeenMessage[] }>("GET", `/chats/telegram/${id}/messages?limit=100`))
        .messages;
    const sees = (words: string) =>
      until(`the bot says “${words}”`, async () =>
        (await messages()).findLast(({ text, author }) => author.bot && text.includes(words)),
      );
    const settled = async ({ works = false } = {}) =>
      void (await until("the bot has shown what it has to show", async () => {
        const behind = await database.sql`
          select from dialogs.dialogues d where chat_id = ${String(id)} and (shown_revision < revision
            or (${works} and work_id is not null)
            or exists (select from dialogs.inbox i where i.chat_id = d.chat_id and i.done_at is null))`;
        return behind.length === 0;
      }));
    return {
      ...{ id, messages, sees },
      rests: () => settled({ works: true }),
      say: async (text) => void (await twins.control("POST", `/telegram/chats/${id}/say`, { text })),
      send: async (media, text = "") =>
        void (await twins.control("POST", `/telegram/chats/${id}/say`, { text, ...media })),
      async press(label, copies = 1) {
        // People tap what they see, not what is about to be replaced.
        await settled();
        const place = await until(`there is a button ${label}`, async () => {
          const message = (await messages()).findLast(({ buttons }) =>
            buttons.flat().some(({ text }) => text === label),
          );
          const row = message?.buttons.findIndex((each) => each.some(({ text }) => text === label)) ?? -1;
          const column = message?.buttons[row]?.findIndex(({ text }) => text === label);
          return message && { message_id: message.id, row, column };
        });
        const { callback_query_id } = await twins.control<{ callback_query_id: string }>(
          ...(["POST", `/telegram/chats/${id}/press`, { ...place, copies }] as const),
        );
        await until("the press is taken", async () => {
          const path = `/telegram/callbacks/${callback_query_id}`;
          return (await twins.control<{ answered: boolean }>("GET", path)).answered;
        });
        return callback_query_id;
      },
      labels: async () =>
        (await messages())
          .findLast(({ buttons }) => buttons.length > 0)
          ?.buttons.flat()
          .map(({ text }) => text) ?? [],
      block: async (block) => void (await twins.control("PATCH", `/telegram/chats/${id}`, { block })),
    };
  }

  return {
    advisor,
    person,
    async calls(provider, method) {
      const path = `/journal?provider=${provider}&method=${encodeURIComponent(method)}&limit=1000`;
      return (await twins.control<{ entries: { request: unknown }[] }>("GET", path)).entries;
    },
    models: async (fault, times = 1) =>
      void (await twins.control("POST", "/faults", { provider: "openrouter", fault, times })),
    async answersOf({ id }) {
      await advisor.gateway.settled();
      const [row] = await database.sql<{ calls: number }[]>`
        select count(*)::int as calls from llm.calls c join advisor.users u on c.user_id = 'advisor:' || u.id
        where u.telegram_user_id = ${id} and c.status = 'ok'`;
      return row?.calls ?? 0;
    },
    stopBot: () => running.stop(),
    async restart(changed = {}) {
      await running.stop();
      running = aProcess(changed);
      await running.start();
    },
    async close() {
      await running.stop();
      await keyValue.close();
      await http.close();
      await advisor.close();
    },
  };
}
