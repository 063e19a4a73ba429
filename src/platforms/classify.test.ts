import { describe, expect, test } from "vitest";
import type { HttpAnswer } from "../kernel/outbound/index.ts";
import { withoutAnswer } from "./classify.ts";
import { classifyRefusal as max } from "./max/classify.ts";
import { classifyRefusal as telegram } from "./telegram/classify.ts";

const now = new Date("2026-11-15T12:00:00Z");

function answer(status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return { kind: "answer", status, headers, body: bytes, url: "https://provider" };
}

function fromTelegram(error_code: number, description: string, parameters?: object) {
  const body = { ok: false, error_code, description, ...(parameters && { parameters }) };
  return telegram(answer(error_code, body), body, now);
}

function fromMax(status: number, code: string, message = "") {
  const body = { code, message };
  return max(answer(status, body), body, now);
}

describe("Telegram", () => {
  // covers autoposting: Error classification defaults
  test.each([
    [400, "Bad Request: chat not found"],
    [400, "Bad Request: not enough rights to send text messages to the chat"],
    [400, "Bad Request: need administrator rights in the channel chat"],
    [400, "Bad Request: group chat was deleted"],
    [400, "Bad Request: CHAT_WRITE_FORBIDDEN"],
    [400, "Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN"],
    [403, "Forbidden: bot was kicked from the supergroup chat"],
    [403, "Forbidden: bot was blocked by the user"],
    [403, "Forbidden: user is deactivated"],
    [403, "Forbidden: bot can't initiate conversation with a user"],
    [404, "Not Found"],
  ])("%i %s means that the channel is lost", (status, description) => {
    expect(fromTelegram(status, description)).toMatchObject({
      category: "PERMANENT",
      scope: "channel",
      code: "channel_unavailable",
      message: description,
    });
  });

  // covers autoposting: Error classification defaults
  test.each([
    ["Bad Request: message is too long", "message_too_long"],
    ["Bad Request: message caption is too long", "message_too_long"],
    ["Bad Request: PHOTO_INVALID_DIMENSIONS", "media_rejected"],
    ["Bad Request: failed to get HTTP URL content", "media_rejected"],
    ["Bad Request: wrong file identifier/HTTP URL specified", "media_rejected"],
    ["Bad Request: can't use file of type Photo as Document", "media_rejected"],
    ["Bad Request: can't parse entities: Unclosed start tag at byte offset 3", "telegram_bad_request"],
    ["Bad Request: message thread not found", "telegram_bad_request"],
  ])("400 %s blames only this delivery", (description, code) => {
    expect(fromTelegram(400, description)).toMatchObject({ category: "PERMANENT", scope: "delivery", code });
  });

  test("a request larger than the server takes is the file's fault", () => {
    expect(telegram(answer(413, "<html>Request Entity Too Large</html>"), undefined, now)).toMatchObject({
      category: "PERMANENT",
      scope: "delivery",
      code: "media_too_large",
    });
  });

  test("a migrated group is neither the post's nor the channel's fault, and the new id is told", () => {
    const parameters = { migrate_to_chat_id: -1005 };
    expect(
      fromTelegram(400, "Bad Request: group chat was upgraded to a supergroup chat", parameters),
    ).toMatchObject({
      category: "TRANSIENT",
      scope: "channel",
      code: "chat_migrated",
      raw: { body: { parameters } },
    });
  });

  test("of several waits the longest counts, wherever it is written", () => {
    const body = {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 14",
      parameters: { retry_after: 9 },
    };
    expect(telegram(answer(429, body, { "retry-after": "3" }), body, now).retryAfterMs).toBe(14_000);
    expect(
      telegram(answer(429, body, { "retry-after": "Sun, 15 Nov 2026 12:00:30 GMT" }), body, now).retryAfterMs,
    ).toBe(30_000);
  });

  test("a proxy's page is judged by its status", () => {
    expect(telegram(answer(502, "<html>Bad gateway</html>"), undefined, now)).toMatchObject({
      category: "TRANSIENT",
      scope: "platform",
      code: "upstream_unavailable",
      raw: { status: 502, body: "<html>Bad gateway</html>" },
    });
  });
});

describe("MAX", () => {
  // covers autoposting: MAX adapter profile; Error classification defaults
  test.each([
    [401, "verify.token", "PERMANENT", "channel", "unauthorized"],
    [403, "chat.denied", "PERMANENT", "channel", "channel_unavailable"],
    [404, "chat.not.found", "PERMANENT", "channel", "channel_unavailable"],
    [404, "dialog.not.found", "PERMANENT", "channel", "channel_unavailable"],
    [400, "proto.payload", "PERMANENT", "delivery", "max_bad_request"],
    [400, "attachment.not.ready", "TRANSIENT", "delivery", "attachment_not_ready"],
    [429, "too.many.requests", "TRANSIENT", "platform", "rate_limited"],
    [400, "too.many.requests", "TRANSIENT", "platform", "rate_limited"],
    [503, "service.unavailable", "TRANSIENT", "platform", "upstream_unavailable"],
    [405, "method.not.allowed", "PERMANENT", "delivery", "bad_request"],
  ])("%i %s is %s, scope %s, code %s", (status, providerCode, category, scope, code) => {
    expect(fromMax(status, providerCode)).toMatchObject({ category, scope, code });
  });

  test("a file that cannot be processed is told from one that is not processed yet", () => {
    expect(fromMax(400, "proto.payload", "errors.process.attachment.video.not.supported").code).toBe(
      "media_rejected",
    );
    for (const kind of ["file", "video", "audio"])
      expect(fromMax(400, "other", `Key: errors.process.attachment.${kind}.not.processed`).code).toBe(
        "attachment_not_ready",
      );
  });

  test("a 429 without a wait leaves the wait to the engine", () => {
    expect(fromMax(429, "too.many.requests")).not.toHaveProperty("retryAfterMs");
  });
});

// covers autoposting: Error classification defaults
test("without an answer, only a request that certainly did not leave has failed", () => {
  const failure = { kind: "failure", reason: "timeout", message: "too slow" } as const;
  expect(withoutAnswer({ ...failure, mayHaveArrived: false }).kind).toBe("failed");
  expect(withoutAnswer({ ...failure, mayHaveArrived: true }).kind).toBe("unknown");
});
