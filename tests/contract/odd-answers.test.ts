import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { postFromPayload } from "../../src/content/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import type { HttpClient } from "../../src/kernel/outbound/index.ts";
import { readRaw } from "../../src/llm/providers/raw.ts";
import {
  createPlatforms,
  type Found,
  type Outcome,
  type PlatformName,
  type SendContext,
  trackProgress,
} from "../../src/platforms/index.ts";
import { sampleMedia } from "./samples.ts";

/** Providers' answers, field by field; one field of each is corrupted, and the required ones stay. */
const nowhere = "http://127.0.0.1:9";
const { platformOf } = createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere });
const now = Date.parse("2026-11-16T12:00:00Z");

const telegramMessage = {
  message_id: 77,
  from: { id: 1001, is_bot: true, first_name: "Новости", username: "news_bot" },
  chat: { id: -1005550001, title: "Главное", username: "glavnoe", type: "channel" },
  date: now / 1000,
  text: "Пост",
  entities: [{ type: "bold", offset: 0, length: 4 }],
  media_group_id: "13",
  photo: [{ file_id: "AgAC", file_unique_id: "AQ", width: 90, height: 60, file_size: 1200 }],
};
const maxMessage = {
  sender: { user_id: 5, first_name: "Новости", is_bot: true, last_activity_time: now },
  recipient: { chat_id: -70, chat_type: "channel", user_id: null },
  timestamp: now,
  link: { type: "reply", message: { mid: "mid.0" } },
  body: {
    mid: "mid.77",
    seq: 116_000_000_000_000,
    text: "Пост",
    attachments: [
      {
        type: "share",
        payload: { url: "https://a.ru", token: "t" },
        title: "А",
        description: null,
        image_url: null,
      },
      { type: "image", payload: { photo_id: 1, token: "t2", url: "https://i.ru/1" } },
    ],
    markup: [{ type: "strong", from: 0, length: 4 }],
  },
  stat: { views: 0 },
  url: "https://max.ru/c/70/77",
};

describe("a post is recognised as arrived as soon as its id can be read", () => {
  it.each([
    ["telegram", { ok: true, result: telegramMessage }, ["/result", "/result/message_id", "/ok"]],
    ["max", { message: maxMessage }, ["/message", "/message/body", "/message/body/mid"]],
  ] as const)("%s: whatever else is missing, null, odd or new", async (platform, answer, needed) => {
    await fc.assert(
      fc.asyncProperty(spoiltBeside(answer, needed), async (body) => {
        const outcome = await sent(platform, { text: "Пост" }, body);
        expect(outcome, JSON.stringify(body)).toMatchObject({ kind: "sent" });
        expect(JSON.stringify(outcome)).toContain("77");
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [
      "a share without a token",
      { attachments: [{ type: "share", payload: { url: "https://a.ru", token: null } }] },
    ],
    ["attachments that are no list", { attachments: {} }],
    ["an attachment without a type", { attachments: [{ payload: null }, null] }],
    ["a number for its id", { mid: 77 }],
  ])("max: with %s", async (_, body) => {
    const message = { ...maxMessage, body: { ...maxMessage.body, ...body } };
    expect(await sent("max", { text: "Пост" }, { message })).toMatchObject({ kind: "sent" });
  });

  it("max: without a time, and with a code beside the message", async () => {
    const { timestamp: _, ...message } = maxMessage;
    expect(await sent("max", { text: "Пост" }, { message, code: "ok" })).toMatchObject({
      kind: "sent",
      providerMessageId: "mid.77",
    });
  });

  it("telegram: one readable message of an album is enough", async () => {
    const media = ["a", "b"].map((name) => ({ type: "photo", url: `https://i.ru/${name}.jpg` }));
    const album = { ok: true, result: [{ odd: true }, { message_id: 78, media_group_id: null, chat: null }] };
    expect(await sent("telegram", { text: "Пост", media }, album)).toMatchObject({
      kind: "sent",
      providerMessageId: "78",
    });
  });
});

describe("what a provider answers that is not about an arrived post", () => {
  it("max: an odd message in the chat does not hide ours", async () => {
    await fc.assert(
      fc.asyncProperty(spoiltBeside(maxMessage, []), async (odd) => {
        const found = await looked({
          messages: [odd, { ...maxMessage, body: { mid: "mid.9", text: "Пост, наш" } }],
        });
        expect(found, JSON.stringify(odd)).toMatchObject({ kind: "found", providerMessageId: "mid.9" });
      }),
      { numRuns: 200 },
    );
  });

  it("max: a message that looks the same and has no time is not taken for ours", async () => {
    const { timestamp: _, ...timeless } = { ...maxMessage, body: { mid: "mid.9", text: "Пост, наш" } };
    expect(await looked({ messages: [timeless] })).toMatchObject({
      kind: "unavailable",
      error: { code: "cannot_look_up" },
    });
  });

  it.each([
    [
      "telegram",
      429,
      { ok: false, error_code: 429, description: "Too Many Requests: retry after 14", parameters: null },
    ],
    ["telegram", 429, { ok: false, error_code: "429", description: null, parameters: { retry_after: "14" } }],
    ["max", 429, { code: "too.many.requests", message: null, retry_after: "14" }],
  ] as const)("%s: a refusal with odd fields keeps its wait", async (platform, status, body) => {
    expect(await sent(platform, { text: "Пост" }, body, status)).toMatchObject({
      kind: "failed",
      error: { code: "rate_limited", retryAfterMs: 14_000 },
    });
  });

  it.each([
    [
      "telegram",
      400,
      { ok: false, error_code: 400, description: "Bad Request: chat not found", parameters: null },
    ],
    ["max", 404, { code: "chat.not.found", message: null, retry_after: null }],
  ] as const)("%s: a refusal with odd fields keeps its reason", async (platform, status, body) => {
    expect(await sent(platform, { text: "Пост" }, body, status)).toMatchObject({
      kind: "failed",
      error: { code: "channel_unavailable" },
    });
  });

  it("models: one odd field does not take the others with it", () => {
    const answer = {
      id: "gen-1",
      model: "a/b",
      usage: {
        prompt_tokens: 7,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 1 },
        cost: 0.01,
      },
      choices: [
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Да", refusal: null } },
      ],
    };
    const needed = ["/usage", "/usage/prompt_tokens", "/choices", "/choices/0", "/choices/0/message"];
    fc.assert(
      fc.property(spoiltBeside(answer, [...needed, "/choices/0/message/content"]), (body) => {
        expect(readRaw(body), JSON.stringify(body)).toMatchObject({
          usage: { prompt_tokens: 7 },
          text: "Да",
        });
      }),
      { numRuns: 300 },
    );
  });
});

function contextOf(platform: PlatformName, body: unknown, status = 200): SendContext {
  const http: HttpClient = {
    request: async ({ url }) => ({
      ...{ kind: "answer", status, headers: {}, url },
      body: new TextEncoder().encode(JSON.stringify(body)),
    }),
  };
  return {
    channel: { platform, targetId: "-70", sendMode: "mixed", settings: {} },
    ...{ credential: { token: "1001:secret" }, idempotencyKey: "delivery-1", http, clock: systemClock },
    since: new Date(now - 1_000),
    media: sampleMedia(),
    progress: trackProgress([], async () => {}),
  };
}

function compiled(platform: PlatformName, payload: Record<string, unknown>) {
  const read = postFromPayload(payload);
  if (!read.ok) throw new Error(read.error.message);
  const result = platformOf(platform).compile(read.post, contextOf(platform, {}).channel);
  if (!result.ok) throw new Error(result.error.message);
  return result.compiled;
}

function sent(
  platform: PlatformName,
  payload: Record<string, unknown>,
  answer: unknown,
  status = 200,
): Promise<Outcome> {
  return platformOf(platform).send(compiled(platform, payload), contextOf(platform, answer, status));
}

async function looked(history: unknown): Promise<Found | undefined> {
  return platformOf("max").find?.(compiled("max", { text: "Пост, наш" }), contextOf("max", history));
}

const odd = fc.constantFrom<unknown>(undefined, null, "", "слово", 0, -1, 1.5, true, [], {}, [null], {
  id: null,
});

/** The answer with one or two values at any depth missing or odd; required ones stay, and new ones may appear. */
function spoiltBeside(good: unknown, needed: readonly string[]): fc.Arbitrary<unknown> {
  const places = placesIn(good).filter((place) => !needed.includes(place));
  return fc
    .array(fc.tuple(fc.constantFrom(...places), odd), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce((body, [place, value]) => changed(body, place.slice(1).split("/"), value), good),
    );
}

function placesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `/${key}`,
    ...placesIn(inner).map((rest) => `/${key}${rest}`),
    `/${key}/new_field`,
  ]);
}

function changed(good: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof good !== "object" || good === null) return good;
  if (Array.isArray(good))
    return good.map((item, index) => (String(index) === key ? changed(item, rest, value) : item));
  return { ...good, [key]: changed(Reflect.get(good, key), rest, value) };
}
