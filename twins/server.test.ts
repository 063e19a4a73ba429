import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TwinEvent } from "./shared/index.ts";
import { startTestTwins, type TestTwins } from "./shared/testing.ts";

let folder: string;
let twins: TestTwins;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "molva-twins-"));
  twins = await startTestTwins({ home: join(folder, "home"), web: join(folder, "web") });
});
afterEach(async () => {
  await twins.close();
  await rm(folder, { recursive: true });
});

const token = `1001:${"A".repeat(35)}`;
const channelId = -1001234567890;
async function aChannel(): Promise<void> {
  await twins.control("POST", "/telegram/bots", { token, username: "shop_bot", first_name: "Магазин" });
  const members = [{ bot: "shop_bot", status: "administrator", can_post_messages: true }];
  await twins.control("POST", "/telegram/chats", {
    id: channelId,
    type: "channel",
    title: "Новости",
    members,
  });
}
const post = (text: string) =>
  fetch(
    `${twins.url}/telegram/bot${token}/sendMessage?chat_id=${channelId}&text=${encodeURIComponent(text)}`,
  );

describe("the page", () => {
  test("says how to build it while it is not built, and appears when it is", async () => {
    const unbuilt = await fetch(twins.url);
    expect(unbuilt.status).toBe(200);
    expect(await unbuilt.text()).toContain("npm run build");
    await mkdir(join(folder, "web", "assets"), { recursive: true });
    await writeFile(join(folder, "web", "playground.html"), "<h1>Чаты</h1>");
    await writeFile(join(folder, "web", "assets", "a.js"), "1");
    const built = await fetch(twins.url);
    expect(await built.text()).toBe("<h1>Чаты</h1>");
    expect(built.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(await (await fetch(`${twins.url}/assets/a.js`)).text()).toBe("1");
  });

  test("has no icon of its own, and says so quietly", async () => {
    expect((await fetch(`${twins.url}/favicon.ico`)).status).toBe(204);
  });

  test("pages of other sites can neither read nor steer the twins", async () => {
    const headers = { origin: "https://elsewhere.example" };
    const steered = await fetch(`${twins.url}/_control/reset`, { method: "POST", headers });
    expect(steered.status).toBe(403);
    const read = await fetch(`${twins.url}/_control/health`);
    expect(read.headers.get("access-control-allow-origin")).toBeNull();
    const own = await fetch(`${twins.url}/_control/reset`, {
      method: "POST",
      headers: { origin: twins.url },
    });
    expect(own.status).toBe(200);
  });
});

test("a site whose name leads to this machine gets nothing from the twins", async () => {
  const { hostname, port } = new URL(twins.url);
  for (const path of ["/", "/_control/chats", "/_control/telegram-account/accounts"]) {
    const headers = { host: `elsewhere.example:${port}` };
    const [answer] = await once(request({ hostname, port, path, headers }).end(), "response");
    answer.resume();
    expect(answer.statusCode).toBe(403);
  }
});

describe("stored files", () => {
  test("images are shown in place, anything else is handed over as a file, nothing runs", async () => {
    const image = await twins.context.blobs.put(Buffer.from("abcdef"), { contentType: "image/png" });
    const svg = await twins.context.blobs.put(Buffer.from("<svg/>"), {
      contentType: "image/svg+xml",
      fileName: "а.svg",
    });
    const shown = await fetch(twins.url + image.path);
    expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
    expect(shown.headers.get("content-security-policy")).toContain("sandbox");
    const handed = await fetch(twins.url + svg.path);
    expect(handed.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''%D0%B0.svg");
    expect((await fetch(`${twins.url}/_blobs/..%2f..%2fetc`)).status).toBe(404);
  });

  test("parts of a video can be asked for", async () => {
    const video = await twins.context.blobs.put(Buffer.from("abcdef"), { contentType: "video/mp4" });
    const ask = (range: string) => fetch(twins.url + video.path, { headers: { range } });
    const part = await ask("bytes=2-3");
    expect([part.status, await part.text(), part.headers.get("content-range")]).toEqual([
      206,
      "cd",
      "bytes 2-3/6",
    ]);
    expect(await (await ask("bytes=-2")).text()).toBe("ef");
    expect(await (await ask("bytes=4-")).text()).toBe("ef");
    expect((await ask("bytes=9-")).status).toBe(416);
  });
});

describe("the control API", () => {
  test("names every provider", async () => {
    expect(await twins.control("GET", "/health")).toEqual({
      ok: true,
      providers: [
        "telegram",
        "telegram-account",
        "max",
        "openrouter",
        "openai",
        "telegraph",
        "wordpress",
        "vk",
        "pinterest",
        "indexnow",
        "yookassa",
        "dataforseo",
        "serper",
        "firecrawl",
        "pagespeed",
        "yandex",
        "searchconsole",
        "webmaster",
        "qstash",
        "sentry",
        "oidc",
      ],
    });
  });

  test.each([
    ["POST", "/faults", { fault: { kind: "explode" } }, 400, /^fault\.kind: /],
    ["POST", "/faults", { fault: { kind: "status", status: 200 } }, 400, /^fault\.status: /],
    ["POST", "/faults", { fault: { kind: "hang" }, probability: 2 }, 400, /^probability: /],
    ["PATCH", "/options", { rate_limits: "no" }, 400, /^rate_limits: /],
    ["GET", "/journal?limit=many", undefined, 400, /^limit: /],
    ["GET", "/chats/icq/1/messages", undefined, 404, /^provider: /],
    ["GET", "/nothing", undefined, 404, /nothing here/],
  ])("%s %s with %j is refused and says why", async (method, path, body, status, error) => {
    const response = await fetch(`${twins.url}/_control${path}`, {
      method,
      ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(status);
    expect(JSON.parse(await response.text()).error).toMatch(error);
  });

  test("a body that is no JSON is refused", async () => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${twins.url}/_control/faults`, { method: "POST", headers, body: "{" });
    expect(response.status).toBe(400);
  });
});

describe("the stream", () => {
  async function* events(signal: AbortSignal): AsyncGenerator<TwinEvent> {
    const response = await fetch(`${twins.url}/_control/stream`, { signal });
    if (!response.body) return;
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) if (block.startsWith("data: ")) yield JSON.parse(block.slice(6));
    }
  }

  test("sends events about chats, messages, typing, removals and a reset as they happen", async () => {
    const leaving = new AbortController();
    const stream = events(leaving.signal);
    const first = stream.next();
    await aChannel();
    expect((await first).value).toMatchObject({ type: "chat", chat: { title: "Новости" } });
    await post("Привет");
    expect((await stream.next()).value).toMatchObject({
      type: "message",
      provider: "telegram",
      chatId: String(channelId),
      message: { text: "Привет" },
    });
    await fetch(`${twins.url}/telegram/bot${token}/sendChatAction?chat_id=${channelId}&action=typing`);
    expect((await stream.next()).value).toMatchObject({ type: "typing" });
    await fetch(`${twins.url}/telegram/bot${token}/deleteMessage?chat_id=${channelId}&message_id=1`);
    expect((await stream.next()).value).toMatchObject({ type: "removed", messageId: "1" });
    await twins.control("POST", "/reset");
    expect((await stream.next()).value).toEqual({ type: "reset" });
    leaving.abort();
  });

  test("the twins stop at once although a stream is open, a poll waits and a call hangs", async () => {
    await aChannel();
    await twins.control("POST", "/faults", { method: "sendMessage", fault: { kind: "hang" } });
    const open = [
      fetch(`${twins.url}/_control/stream`).then((response) => response.text()),
      fetch(`${twins.url}/telegram/bot${token}/getUpdates?timeout=50`),
      post("Привет"),
    ];
    const settled = Promise.allSettled(open);
    await twins.control("GET", "/health");
    await twins.close();
    await settled;
  });
});

test("a port that is taken is an error for the one who asked", async () => {
  const port = Number(new URL(twins.url).port);
  await expect(startTestTwins({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});
