import { z } from "zod";

/** What each messenger calls a bot and a chat, and how the twin's journal shows an uploaded file. */
export const messengers = {
  telegram: {
    token: `4242:${"B".repeat(35)}`,
    bot: { token: `4242:${"B".repeat(35)}`, username: "bench_bot", first_name: "Bench" },
    chat: (id: number) => ({
      id,
      type: "channel",
      title: `Bench ${id}`,
      members: [{ bot: "bench_bot", status: "administrator", can_post_messages: true }],
    }),
    uploadsIn: (text: string) => text.split("attach://").length - 1,
  },
  max: {
    token: "bench-max-token",
    bot: { token: "bench-max-token", username: "bench_bot", first_name: "Bench" },
    chat: (chat_id: number) => ({
      chat_id,
      type: "channel",
      title: `Bench ${chat_id}`,
      members: [{ bot: "bench_bot", is_admin: true }],
    }),
    uploadsIn: (text: string) => (text.includes('"method":"POST /_upload"') ? 1 : 0),
  },
} as const;

export type Messenger = keyof typeof messengers;

export async function prepareChats(
  twinsUrl: string,
  name: Messenger,
  chats: readonly number[],
): Promise<void> {
  const { bot, chat } = messengers[name];
  await tell(`${twinsUrl}/_control/${name}/bots`, bot);
  for (const id of chats) await tell(`${twinsUrl}/_control/${name}/chats`, chat(id));
}

async function tell(url: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}

const journal = z.object({ entries: z.array(z.object({ status: z.number().optional() }).loose()) });

/** How many files the twin was given, counted from its journal, which is then forgotten. */
export async function uploadsSeen(twinsUrl: string, name: Messenger): Promise<number> {
  const url = `${twinsUrl}/_control/journal`;
  const { entries } = journal.parse(await (await fetch(`${url}?provider=${name}&limit=20000`)).json());
  await fetch(url, { method: "DELETE" });
  const { uploadsIn } = messengers[name];
  return entries.reduce((sum, entry) => sum + uploadsIn(JSON.stringify(entry)), 0);
}
