import type { TwinsSettings } from "../server.ts";
import { startTestTwins, type TestTwins } from "../shared/testing.ts";

export interface ApiAnswer<T = Record<string, unknown>> {
  ok: boolean;
  result: T;
  error_code?: number;
  description?: string;
  parameters?: { retry_after?: number; migrate_to_chat_id?: number };
}

export const botToken = `1001:${"A".repeat(35)}`;
export const otherToken = `1002:${"B".repeat(35)}`;
export const channelId = -1001234567890;
export const groupId = -1009876543210;
export const personId = 77;

export interface TestTelegram {
  readonly twins: TestTwins;
  /** Calls a method with a JSON body and gives back the envelope. */
  call<T = Record<string, unknown>>(
    method: string,
    fields?: Record<string, unknown>,
    token?: string,
  ): Promise<ApiAnswer<T>>;
  /** The same, as a multipart form; blobs become files. */
  upload<T = Record<string, unknown>>(
    method: string,
    form: Record<string, string | File>,
  ): Promise<ApiAnswer<T>>;
  close(): Promise<void>;
}

/** Twins with two bots, a channel, a group and a private chat in which `shop_bot` may write. */
export async function startTelegram(settings: Partial<TwinsSettings> = {}): Promise<TestTelegram> {
  const twins = await startTestTwins(settings);
  await twins.control("POST", "/telegram/bots", {
    token: botToken,
    username: "shop_bot",
    first_name: "Магазин",
  });
  await twins.control("POST", "/telegram/bots", {
    token: otherToken,
    username: "other_bot",
    first_name: "Другой",
  });
  const member = [{ bot: "shop_bot" }];
  await twins.control("POST", "/telegram/chats", {
    id: channelId,
    type: "channel",
    title: "Новости магазина",
    username: "shop_news",
    members: [{ bot: "shop_bot", status: "administrator", can_post_messages: true }],
  });
  await twins.control("POST", "/telegram/chats", {
    id: groupId,
    type: "supergroup",
    title: "Чат",
    members: member,
  });
  await twins.control("POST", "/telegram/chats", {
    id: personId,
    type: "private",
    first_name: "Ира",
    members: member,
  });

  async function send<T>(method: string, token: string, init: RequestInit): Promise<ApiAnswer<T>> {
    const response = await fetch(`${twins.url}/telegram/bot${token}/${method}`, { method: "POST", ...init });
    const answer: ApiAnswer<T> = JSON.parse(await response.text());
    if (response.status !== (answer.error_code ?? 200)) throw new Error(`status ${response.status} differs`);
    return answer;
  }

  return {
    twins,
    call: (method, fields = {}, token = botToken) =>
      send(method, token, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(fields),
      }),
    upload(method, form) {
      const body = new FormData();
      for (const [name, value] of Object.entries(form)) body.set(name, value);
      return send(method, botToken, { body });
    },
    close: () => twins.close(),
  };
}

/** A PNG header of this size; the twin reads nothing else. */
export function png(width: number, height: number, bytes = 64): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(Math.max(bytes, 33));
  head.write("\x89PNG\r\n\x1a\n", "latin1");
  head.writeUInt32BE(13, 8);
  head.write("IHDR", 12, "latin1");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return new Uint8Array(head);
}

export function pngFile(width = 640, height = 480, bytes?: number): File {
  return new File([png(width, height, bytes)], "photo.png", { type: "image/png" });
}
