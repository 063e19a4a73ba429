import { randomInt } from "node:crypto";
import { until } from "./until.ts";

/** A bot in the twin of Telegram, and a person who talks with it there. */
export interface TelegramPerson {
  readonly token: string;
  readonly chatId: number;
  control(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>;
  say(text: string): Promise<void>;
  send(said: object): Promise<void>;
  press(label: string): Promise<void>;
  messages(): Promise<SeenMessage[]>;
  /** Waits for a message that says exactly this. */
  see(text: string): Promise<SeenMessage>;
  /** The bot's calls of Telegram about this chat, oldest first. */
  calls(method: string): Promise<{ readonly request: Record<string, unknown>; readonly status: unknown }[]>;
  /** Injects a fault into the next call of this method in this chat. */
  fault(method: string, fault: object, times?: number): Promise<void>;
  /** Resolves when every injected fault was used. */
  struck(): Promise<void>;
}

export interface SeenMessage {
  readonly id: string;
  readonly text: string;
  readonly marks: readonly { readonly type: string; readonly offset: number; readonly length: number }[];
  readonly author: { readonly bot: boolean };
  readonly buttons: readonly (readonly { readonly text: string }[])[];
}

export async function aTelegramPerson(twinsUrl: string): Promise<TelegramPerson> {
  const botId = randomInt(1_000_000, 9_999_999);
  const token = `${botId}:${"T".repeat(35)}`;
  const username = `parcel_${botId}_bot`;
  const chatId = randomInt(1_000_000, 9_999_999);

  const control: TelegramPerson["control"] = async (method, path, body) => {
    const answer = await fetch(`${twinsUrl}/_control${path}`, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  await control("POST", "/telegram/bots", { token, username, first_name: "Посылки" });
  await control("POST", "/telegram/chats", {
    id: chatId,
    type: "private",
    first_name: "Ирина",
    members: [{ bot: username }],
  });
  const messages = async (): Promise<SeenMessage[]> =>
    (await control("GET", `/chats/telegram/${chatId}/messages?limit=100`)).messages;
  const send = async (said: object) => void (await control("POST", `/telegram/chats/${chatId}/say`, said));

  return {
    token,
    chatId,
    control,
    messages,
    send,
    say: (text) => send({ text }),
    async press(label) {
      const message = await until(`a button ${label}`, async () =>
        (await messages()).findLast(({ buttons }) => buttons.flat().some(({ text }) => text === label)),
      );
      const row = message.buttons.findIndex((each) => each.some(({ text }) => text === label));
      const column = message.buttons[row]?.findIndex(({ text }) => text === label);
      await control("POST", `/telegram/chats/${chatId}/press`, { message_id: message.id, row, column });
    },
    see: (wanted) =>
      until(`“${wanted}”`, async () => (await messages()).findLast(({ text }) => text === wanted)),
    async calls(method) {
      const { entries } = await control(
        "GET",
        `/journal?provider=telegram&bot=${username}&method=${method}&limit=200`,
      );
      return entries;
    },
    fault: (method, fault, times = 1) =>
      control("POST", "/faults", { provider: "telegram", bot: username, method, times, fault }),
    async struck() {
      await until("every fault to strike", async () => (await control("GET", "/faults")).faults.length === 0);
    },
  };
}
