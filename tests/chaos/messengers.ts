import { paths } from "../../src/kernel/paths/index.ts";
import { type FaultKind, type JournalEntry, startTwins } from "../../twins/index.ts";
import type { Shown, ShownMessage } from "./correction-books.ts";
import { beginningOf, credentialValue, type Network, type Place, placesOf, worldOf } from "./networks.ts";
import type { Random } from "./random.ts";
import { pace, type StormSettings } from "./settings.ts";

type Bots = "telegram" | "max";
export type Messenger = Bots | Network;

export interface Chat {
  readonly messenger: Messenger;
  readonly id: string;
  /** The channel's target, where it is not the same. */
  readonly target?: string;
  /** The bot that writes here; also the name of its credential and of its rate group. */
  readonly bot: string;
}

/** A message that a reader of a chat sees, whoever was told about it. */
export interface Arrival {
  readonly chat: string;
  readonly text: string;
  readonly at: number;
}

export interface Messengers {
  readonly url: string;
  readonly chats: readonly Chat[];
  /** Sites, walls and boards. */
  readonly places: readonly Place[];
  /** Tokens by bot, as the environment of a process holds them. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly arrivals: readonly Arrival[];
  /** Calls that were refused for coming too fast, without a fault script. */
  readonly tooFast: readonly JournalEntry[];
  readonly faults: number;
  misbehave(
    match: { provider: string; bot?: string; chat?: string; method?: string },
    fault: FaultKind,
    times: number,
  ): void;
  /** Removes all fault scripts. */
  calm(): void;
  /** Reads the journal since the last call. */
  read(): void;
  /** What readers of every chat see now. */
  shown(): Promise<Shown>;
  stop(): Promise<void>;
}

/** A picture that the twins' page has. */
export const pictureAt = (twinsUrl: string) => `${twinsUrl}/demo/lake.jpg`;

/** How often the journal is read: it keeps only the newest twenty thousand lines. */
const readEveryMs = 1_000;
const journalPage = 20_000;

export async function startMessengers(settings: StormSettings, random: Random): Promise<Messengers> {
  const twins = await startTwins({
    port: 0,
    host: "127.0.0.1",
    insecureWebhooks: true,
    web: paths.web,
    random: () => random.next(),
  });
  const chats = chatsOf(settings);
  const places = placesOf(settings.networks);
  const bots = tokensOf(chats);
  const tokens = {
    ...bots,
    ...Object.fromEntries(places.map((place) => [place.bot, credentialValue(place)])),
  };
  await furnish(twins.url, chats, bots, places);

  const arrivals: Arrival[] = [];
  const tooFast: JournalEntry[] = [];
  let faults = 0;
  let readUpTo = 0;

  function read(): void {
    for (const entry of twins.context.journal.find({ after: readUpTo, limit: journalPage })) {
      readUpTo = entry.id;
      if (entry.fault) faults += 1;
      if (entry.status === 429 && !entry.fault) tooFast.push(entry);
      if (entry.created && entry.chat) {
        const text =
          entry.provider === "telegram" || entry.provider === "max" ? textOf(entry) : beginningOf(entry);
        if (text === undefined) continue;
        for (const _message of entry.created) arrivals.push({ chat: entry.chat, text, at: entry.at });
      }
    }
  }
  const reading = setInterval(read, readEveryMs);

  return {
    url: twins.url,
    chats,
    places,
    tokens,
    arrivals,
    tooFast,
    get faults() {
      return faults;
    },
    misbehave(match, fault, times) {
      twins.context.faults.add({ match, fault, times });
    },
    calm: () => twins.context.faults.clear(),
    read,
    async shown() {
      const views = new Map<string, readonly ShownMessage[]>();
      for (const { messenger, id } of [...chats, ...places]) {
        const answer = await fetch(`${twins.url}/_control/chats/${messenger}/${id}/messages?limit=500`);
        views.set(id, JSON.parse(await answer.text()).messages);
      }
      return views;
    },
    async stop() {
      clearInterval(reading);
      await twins.close();
    },
  };
}

function chatsOf(settings: StormSettings): Chat[] {
  const of = (messenger: Bots, firstId: number) =>
    Array.from({ length: settings.chats[messenger] }, (_, index) => ({
      messenger,
      id: String(firstId - index),
      bot: `${messenger}_${Math.floor(index / pace[messenger].chatsPerBot) + 1}`,
    }));
  return [...of("telegram", -1_002_000_000_001), ...of("max", -70_000_001)];
}

function tokensOf(chats: readonly Chat[]): Record<string, string> {
  const bots = [...new Map(chats.map((chat) => [chat.bot, chat.messenger])).entries()];
  return Object.fromEntries(
    bots.map(([bot, messenger], index) => [
      bot,
      messenger === "telegram" ? `${7_200_000_001 + index}:${"C".repeat(35)}` : `chaos-token-of-${bot}`,
    ]),
  );
}

/** Creates bots and chats at the messengers. */
async function furnish(
  url: string,
  chats: readonly Chat[],
  tokens: Readonly<Record<string, string>>,
  places: readonly Place[],
): Promise<void> {
  const tell = async (path: string, body: unknown) => {
    const answer = await fetch(`${url}/_control/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the twins refused ${path}: ${await answer.text()}`);
  };
  for (const { path, body } of worldOf(places)) await tell(path, body);
  for (const [bot, token] of Object.entries(tokens))
    await tell(`${bot.split("_")[0]}/bots`, { token, username: bot, first_name: "Молва" });
  for (const { messenger, id, bot } of chats)
    await tell(
      `${messenger}/chats`,
      messenger === "telegram"
        ? {
            id: Number(id),
            type: "channel",
            title: `Канал ${id}`,
            members: [{ bot, status: "administrator", can_post_messages: true }],
          }
        : {
            chat_id: Number(id),
            type: "channel",
            title: `Канал ${id}`,
            members: [{ bot, is_admin: true, permissions: ["write"] }],
          },
    );
}

/** What a reader sees of the message that the call made. */
function textOf({ request }: JournalEntry): string {
  const fields = recordOf(request);
  const text = fields.text ?? fields.caption ?? recordOf(fields.body).text;
  return typeof text === "string" ? text : "";
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
