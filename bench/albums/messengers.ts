import { z } from "zod";

interface Place {
  readonly credential: Readonly<Record<string, string>>;
  /** What the channel with this number posts to. */
  target(place: number): string;
  /** Calls of the twin's control API that create the account and the targets. */
  world(targets: readonly string[]): readonly { readonly path: string; readonly body: object }[];
  /** How many uploads an entry of the twin's journal contains. */
  uploadsIn(entry: string): number;
}

const bot = { username: "bench_bot", first_name: "Bench" };
const telegramToken = `4242:${"B".repeat(35)}`;
const chatNumber = (place: number) => String(-1_001_000_000_000 - place);
const password = "benchBENCH1234benchBENCH";

/** What each platform calls an account and a place, and how the twin's journal shows an uploaded file. */
export const messengers = {
  telegram: {
    credential: { token: telegramToken },
    target: chatNumber,
    world: (targets) => [
      { path: "/telegram/bots", body: { token: telegramToken, ...bot } },
      ...targets.map((target) => ({
        path: "/telegram/chats",
        body: {
          id: Number(target),
          type: "channel",
          title: `Bench ${target}`,
          members: [{ bot: "bench_bot", status: "administrator", can_post_messages: true }],
        },
      })),
    ],
    uploadsIn: (entry) => entry.split("attach://").length - 1,
  },
  max: {
    credential: { token: "bench-max-token" },
    target: chatNumber,
    world: (targets) => [
      { path: "/max/bots", body: { token: "bench-max-token", ...bot } },
      ...targets.map((target) => ({
        path: "/max/chats",
        body: {
          chat_id: Number(target),
          type: "channel",
          title: `Bench ${target}`,
          members: [{ bot: "bench_bot", is_admin: true }],
        },
      })),
    ],
    uploadsIn: (entry) => (entry.includes('"method":"POST /_upload"') ? 1 : 0),
  },
  // One account is for one site, so there is one channel.
  wordpress: {
    credential: { url: "https://bench.wordpress.test", login: "bench", app_password: password },
    target: () => "bench.wordpress.test",
    world: () => [
      {
        path: "/wordpress/sites",
        body: { name: "bench", users: [{ login: "bench", role: "editor", passwords: [password] }] },
      },
    ],
    uploadsIn: (entry) => (entry.includes('"method":"POST /wp/v2/media"') ? 1 : 0),
  },
} as const satisfies Record<string, Place>;

export type Messenger = keyof typeof messengers;

export async function prepareChats(
  twinsUrl: string,
  name: Messenger,
  targets: readonly string[],
): Promise<void> {
  const place: Place = messengers[name];
  for (const { path, body } of place.world(targets)) await tell(`${twinsUrl}/_control${path}`, body);
}

async function tell(url: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}

const journal = z.object({ entries: z.array(z.object({ status: z.number().optional() }).loose()) });

/** Counts the uploads in the twin's journal, and clears it. */
export async function uploadsSeen(twinsUrl: string, name: Messenger): Promise<number> {
  const url = `${twinsUrl}/_control/journal`;
  const { entries } = journal.parse(await (await fetch(`${url}?provider=${name}&limit=20000`)).json());
  await fetch(url, { method: "DELETE" });
  const { uploadsIn } = messengers[name];
  return entries.reduce((sum, entry) => sum + uploadsIn(JSON.stringify(entry)), 0);
}
