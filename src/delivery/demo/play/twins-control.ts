import { z } from "zod";
import { callTwins, openTwinChat } from "../twin-api.ts";
import { cast, type PlayPlatform } from "./cast.ts";

interface Chat {
  readonly platform: PlayPlatform;
  readonly chat: string;
}

/** Calls of the demo to the twins' control API. */
export interface TwinsControl {
  openChat(platform: PlayPlatform, chat: string, title: string): Promise<void>;
  /** Makes the twin answer the next posts to this chat with this status. */
  refuse(chat: Chat, status: number, options: { times: number; retryAfter?: number }): Promise<void>;
  liftFaults(): Promise<void>;
  textsIn(chat: Chat): Promise<string[]>;
  /** Deletes what the bot posted there. */
  clear(chat: Chat): Promise<void>;
}

const messagesAnswer = z.object({ messages: z.array(z.object({ id: z.string(), text: z.string() })) });
const faultAnswer = z.object({ id: z.string() });

export function createTwinsControl(twinsUrl: string): TwinsControl {
  const faults: string[] = [];

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    callTwins(twinsUrl, method, path, body, headers);

  async function messagesIn({ platform, chat }: Chat) {
    const answer = await call("GET", `/_control/chats/${platform}/${chat}/messages?limit=500`);
    return messagesAnswer.parse(answer).messages;
  }

  return {
    async openChat(platform, chat, title) {
      const { username, token } = cast.bots[platform];
      await call("POST", `/_control/${platform}/bots`, { token, username, first_name: "Показ" });
      await openTwinChat(twinsUrl, { platform, chat, title, bot: username });
    },
    async refuse({ platform, chat }, status, { times, retryAfter }) {
      const fault = { kind: "status", status, ...(retryAfter === undefined ? {} : { retryAfter }) };
      const added = await call("POST", "/_control/faults", { provider: platform, chat, times, fault });
      faults.push(faultAnswer.parse(added).id);
    },
    async liftFaults() {
      // A fault that was used up is already gone.
      for (const id of faults.splice(0))
        await fetch(`${twinsUrl}/_control/faults/${id}`, { method: "DELETE" });
    },
    textsIn: async (chat) => (await messagesIn(chat)).map(({ text }) => text),
    async clear(chat) {
      const { token } = cast.bots[chat.platform];
      for (const { id } of await messagesIn(chat))
        if (chat.platform === "telegram")
          await call("POST", `/telegram/bot${token}/deleteMessage`, {
            chat_id: Number(chat.chat),
            message_id: Number(id),
          });
        else
          await call("DELETE", `/max/messages?message_id=${encodeURIComponent(id)}`, undefined, {
            authorization: token,
          });
    },
  };
}
