import { createServer, type RequestListener } from "node:http";
import type { TwinsSettings } from "../server.ts";
import { startTestTwins, type TestTwins } from "../shared/testing.ts";

export { pngOf } from "../shared/testing-image.ts";

/** An answer of the Bot API. Tests assert the shape of its body. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface TestMax extends TestTwins {
  /** A call with the bot's token. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  /** Posts to the test channel, or to `to`, and returns the message as the provider does. */
  send(body: Record<string, unknown>, to?: string): Promise<ApiAnswer["body"]>;
  /** Requests an upload address and sends the bytes to it as a form. */
  upload(type: string, bytes: Uint8Array, name?: string): Promise<ApiAnswer & { token?: string }>;
}

export const token = "max-bot-token";
export const channel = -70_001;
export const group = -70_002;
export const dialog = 555;
export const reader = 42;

/** Twins with one bot, one channel, one group and one dialog that a reader has started. */
export async function startTestMax(settings: Partial<TwinsSettings> = {}): Promise<TestMax> {
  const twins = await startTestTwins(settings);
  await twins.control("POST", "/max/bots", { token, username: "shop_bot", first_name: "Магазин" });
  const members = [{ bot: "shop_bot", is_admin: true }];
  const user = { user_id: reader, first_name: "Ира" };
  for (const chat of [
    { chat_id: channel, type: "channel", title: "Новости", link: "shop", members },
    { chat_id: group, type: "chat", title: "Покупатели", members },
    { chat_id: dialog, type: "dialog", user, members: [{ bot: "shop_bot" }] },
  ]) {
    await twins.control("POST", "/max/chats", chat);
  }

  const api: TestMax["api"] = async (method, path, body, headers) => {
    const response = await fetch(`${twins.url}/max${path}`, {
      method,
      headers: { authorization: token, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

  return {
    ...twins,
    api,
    async send(body, to = `chat_id=${channel}`) {
      const answer = await api("POST", `/messages?${to}`, body);
      if (answer.status !== 200) throw new Error(`refused: ${JSON.stringify(answer)}`);
      return answer.body.message;
    },
    async upload(type, bytes, name = "file.bin") {
      const { body: place } = await api("POST", `/uploads?type=${type}`);
      const response = await fetch(place.url, { method: "POST", body: formOf(bytes, name) });
      const text = await response.text();
      const isXml = text.startsWith("<");
      return { status: response.status, body: isXml ? text : JSON.parse(text), token: place.token };
    },
  };
}

/** A server on a free local port, and its address. */
export async function serve(handler: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

export function formOf(bytes: Uint8Array, name = "file.bin", field = "data"): FormData {
  const form = new FormData();
  form.append(field, new Blob([Uint8Array.from(bytes)]), name);
  return form;
}

/** The first box of an mp4. */
export const mp4 = Buffer.from("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "latin1");
