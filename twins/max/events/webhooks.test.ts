import type { IncomingHttpHeaders } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../tests/support/until.ts";
import { testClock } from "../../shared/testing.ts";
import { dialog, serve, startTestMax, type TestMax } from "../testing.ts";

const minute = 60_000;
const hour = 60 * minute;

interface Received {
  headers: IncomingHttpHeaders;
  update: { update_type: string; message: { body: { text: string } } };
}

/** A webhook with scripted answers that records requests. */
async function startHook() {
  const received: Received[] = [];
  const answer = { status: 200 };
  const server = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, update: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(answer.status, answer.status === 302 ? { location: "/elsewhere" } : {}).end();
  });
  return { ...server, received, answer };
}

const clock = testClock();
let max: TestMax;
let hook: Awaited<ReturnType<typeof startHook>>;
beforeEach(async () => {
  hook = await startHook();
  max = await startTestMax({ clock });
});
afterEach(async () => {
  await max.close();
  hook.close();
});

const say = (text: string) => max.control("POST", `/max/chats/${dialog}/say`, { text });
const received = (count: number) =>
  eventually(() => (hook.received.length === count ? hook.received : undefined));
const run = () => max.control<{ waiting: number }>("POST", "/max/webhooks/run", {});
const waiting = async () => (await max.control<{ waiting: number }>("POST", "/max/webhooks/run", {})).waiting;
const settled = (failures: number) =>
  eventually(async () => {
    const { entries } = await max.control<{ entries: unknown[] }>(
      "GET",
      "/journal?provider=max&method=webhook",
    );
    return entries.length === failures ? entries : undefined;
  });

describe("delivery", () => {
  test("an update is posted whole, with the secret", async () => {
    await max.api("POST", "/subscriptions", { url: hook.url, secret: "abc_12345" });
    await say("Привет");
    const [notice] = await received(1);
    expect(notice?.headers["x-max-bot-api-secret"]).toBe("abc_12345");
    expect(notice?.headers["content-type"]).toContain("application/json");
    expect(notice?.update).toMatchObject({
      update_type: "message_created",
      message: { body: { text: "Привет" } },
    });
  });

  test("the secret does not reach the journal", async () => {
    await max.api("POST", "/subscriptions", { url: hook.url, secret: "abc_12345" });
    expect(JSON.stringify(await max.control("GET", "/journal?provider=max"))).not.toContain("abc_12345");
  });

  test("only the wanted types are posted", async () => {
    await max.api("POST", "/subscriptions", { url: hook.url, update_types: ["bot_stopped"] });
    await say("мимо");
    await max.control("PATCH", `/max/chats/${dialog}`, { suspended: true });
    const [notice] = await received(1);
    expect(notice?.update.update_type).toBe("bot_stopped");
  });

  test("the same update may come twice", async () => {
    await max.api("POST", "/subscriptions", { url: hook.url });
    await max.control("PATCH", "/max/options", { duplicate_updates: 1 });
    await say("дважды");
    const [first, second] = await received(2);
    expect(second?.update).toEqual(first?.update);
  });
});

describe("failure", () => {
  test.each([201, 204, 302, 404, 500])(
    "%i is not success: the update comes again after a minute",
    async (status) => {
      await max.api("POST", "/subscriptions", { url: hook.url });
      hook.answer.status = status;
      await say("ещё раз");
      await settled(1);
      clock.advance(minute - 1);
      expect((await run()).waiting).toBe(1);
      expect(hook.received).toHaveLength(1);
      hook.answer.status = 200;
      clock.advance(1);
      expect((await run()).waiting).toBe(0);
      expect(hook.received).toHaveLength(2);
    },
  );

  test("retries come after 60 s, then 2.5 times later each", async () => {
    await max.api("POST", "/subscriptions", { url: hook.url });
    hook.answer.status = 500;
    await say("а");
    await settled(1);
    let count = 1;
    for (const wait of [60_000, 150_000, 375_000, 937_500]) {
      clock.advance(wait - 1);
      await run();
      expect(hook.received).toHaveLength(count);
      clock.advance(1);
      await run();
      count += 1;
      expect(hook.received).toHaveLength(count);
    }
  });

  test("the tenth retry is the last", async () => {
    await max.api("POST", "/subscriptions", { url: hook.url });
    hook.answer.status = 500;
    await say("а");
    await settled(1);
    for (let retry = 1; retry <= 10; retry += 1) {
      await max.control("POST", "/max/webhooks/run", { force: true });
      expect(hook.received).toHaveLength(1 + retry);
    }
    expect(await waiting()).toBe(0);
  });

  test("after eight hours without success the bot is unsubscribed and polls again", async () => {
    await max.api("POST", "/subscriptions", { url: hook.url });
    hook.answer.status = 500;
    await say("а");
    await settled(1);
    clock.advance(8 * hour - 1);
    await run();
    expect((await max.api("GET", "/subscriptions")).body.subscriptions).toHaveLength(1);
    clock.advance(1);
    expect((await run()).waiting).toBe(0);
    expect((await max.api("GET", "/subscriptions")).body.subscriptions).toEqual([]);
    await say("б");
    const { body } = await max.api("GET", "/updates?timeout=0");
    expect(body.updates).toMatchObject([{ message: { body: { text: "б" } } }]);
  });

  test("a success in between starts the eight hours again", async () => {
    await max.api("POST", "/subscriptions", { url: hook.url });
    hook.answer.status = 500;
    await say("а");
    await settled(1);
    clock.advance(7 * hour);
    hook.answer.status = 200;
    await run();
    hook.answer.status = 500;
    await say("б");
    await settled(3);
    clock.advance(7 * hour);
    await run();
    expect((await max.api("GET", "/subscriptions")).body.subscriptions).toHaveLength(1);
  });

  test("a webhook that nobody serves fails like any other", async () => {
    await max.api("POST", "/subscriptions", { url: "http://127.0.0.1:9/" });
    await say("а");
    await settled(1);
    expect(await waiting()).toBe(1);
    await max.api("DELETE", `/subscriptions?url=${encodeURIComponent("http://127.0.0.1:9/")}`);
    expect(await waiting()).toBe(0);
  });
});

describe("subscriptions", () => {
  const url = "https://shop.example/hook";

  test("are listed, replaced by address, and removed", async () => {
    await max.api("POST", "/subscriptions", { url });
    await max.api("POST", "/subscriptions", { url, update_types: ["message_created"] });
    expect((await max.api("GET", "/subscriptions")).body).toEqual({
      subscriptions: [{ url, time: clock.now(), update_types: ["message_created"] }],
    });
    const path = `/subscriptions?url=${encodeURIComponent(url)}`;
    expect((await max.api("DELETE", path)).body).toEqual({ success: true });
    expect((await max.api("DELETE", path)).body.success).toBe(false);
  });

  test.each([
    ["a secret of four characters", { url, secret: "abcd" }],
    ["a secret with a space", { url, secret: "abc def" }],
    ["a secret of 257 characters", { url, secret: "a".repeat(257) }],
    ["an unknown update type", { url, update_types: ["everything"] }],
    ["no address", {}],
    ["an address that is none", { url: "shop" }],
  ])("%s is refused", async (_case, body) => {
    const answer = await max.api("POST", "/subscriptions", body);
    expect([answer.status, answer.body.code]).toEqual([400, "proto.payload"]);
  });

  test.each([
    "http://shop.example/hook",
    "https://shop.example:8443/hook",
    "https://127.0.0.1/hook",
    "https://[::1]/hook",
    "https://localhost/hook",
  ])("%s is refused where webhooks must be secure", async (unsafe) => {
    const strict = await startTestMax({ insecureWebhooks: false });
    expect((await strict.api("POST", "/subscriptions", { url: unsafe })).body.code).toBe("proto.payload");
    expect((await strict.api("POST", "/subscriptions", { url })).body).toEqual({ success: true });
    await strict.close();
  });
});
