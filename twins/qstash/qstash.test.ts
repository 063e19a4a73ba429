import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoAccount } from "./store.ts";
import { type Endpoint, type Json, startEndpoint, startTestQStash, type TestQStash } from "./testing.ts";

let qstash: TestQStash;
let endpoint: Endpoint;
beforeAll(async () => {
  qstash = await startTestQStash();
  endpoint = await startEndpoint();
});
beforeEach(async () => {
  await qstash.control("POST", "/reset");
  qstash.clock.advance(sunday - qstash.clock.now());
  await qstash.control("PATCH", "/qstash/options", { held: true });
  endpoint.heard.length = 0;
  endpoint.answer = { status: 200 };
});
afterAll(async () => {
  await qstash.close();
  await endpoint.close();
});

const minute = 60_000;
/** 15:00 in Moscow. */
const sunday = Date.parse("2026-11-15T12:00:00Z");
const publish = (headers: Readonly<Record<string, string>> = {}, body = '{"a": 1}') =>
  qstash.api("POST", `/publish/${endpoint.url}/api/job?x=1&y=2`, headers, body);
const waiting = async (): Promise<Json> => qstash.control("GET", "/qstash/messages");

describe("Calls", () => {
  it("need the token and an address that can be reached from outside", async () => {
    expect(await qstash.api("GET", "/schedules", { authorization: "Bearer other" })).toEqual({
      ...{ status: 401, body: { error: "unable to authenticate: invalid token" } },
    });
    const noScheme = await qstash.api("POST", "/publish/app.ru/job");
    expect(noScheme).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("invalid scheme") },
    });
    const strict = await startTestQStash(undefined, { insecureWebhooks: false });
    const refused = await strict.api("POST", `/publish/${endpoint.url}/job`);
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining("loopback") } });
    await strict.close();
  });

  it.each([
    ["upstash-delay", "soon"],
    ["upstash-delay", "400d"],
    ["upstash-retries", "-1"],
    ["upstash-retries", "99"],
    ["upstash-timeout", "1w"],
    ["upstash-method", "BREW"],
    ["upstash-retry-delay", "process.exit()"],
    ["upstash-not-before", "tomorrow"],
    ["upstash-callback", "ftp://app.ru"],
  ])("with %s: %s are refused", async (name, value) => {
    expect(await publish({ [name]: value })).toMatchObject({ status: 400 });
  });
});

describe("A message", () => {
  it("arrives byte for byte at the whole address, with its headers and a signature over both", async () => {
    const { status, body } = await publish({
      "content-type": "application/json",
      "upstash-forward-x-shop": "7",
    });
    expect(status).toBe(200);
    expect(await qstash.run()).toEqual([
      expect.objectContaining({ message_id: body.messageId, status: 200, retried: 0 }),
    ]);
    const [heard] = endpoint.heard;
    expect(heard).toMatchObject({ url: "/api/job?x=1&y=2", body: '{"a": 1}' });
    expect(heard?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Upstash-QStash",
      "x-shop": "7",
      "upstash-message-id": body.messageId,
      "upstash-retried": "0",
    });
    const { claims, isSignedBy } = tokenIn(heard?.headers["upstash-signature"]);
    const seconds = qstash.clock.now() / 1_000;
    expect(claims).toMatchObject({
      iss: "Upstash",
      sub: `${endpoint.url}/api/job?x=1&y=2`,
      exp: seconds + 300,
    });
    expect(claims.body).toBe(createHash("sha256").update('{"a": 1}').digest("base64url").padEnd(44, "="));
    expect(isSignedBy(demoAccount.keys.current)).toBe(true);
  });

  it("waits for its delay, or for its moment, which wins, and can be cancelled until then", async () => {
    const moment = String(qstash.clock.now() / 1_000 + 600);
    await publish({ "upstash-delay": "1h30m" });
    await publish({ "upstash-delay": "1s", "upstash-not-before": moment });
    const { body } = await publish({ "upstash-delay": "5m" });
    expect(await qstash.run()).toEqual([]);
    expect((await qstash.api("DELETE", `/messages/${body.messageId}`)).status).toBe(202);
    expect((await qstash.api("GET", `/messages/${body.messageId}`)).status).toBe(404);
    qstash.clock.advance(10 * minute);
    expect(await qstash.run()).toHaveLength(1);
    qstash.clock.advance(80 * minute);
    expect(await qstash.run()).toHaveLength(1);
  });

  it("is taken once in ten minutes by its deduplication id or by its content", async () => {
    const first = await publish({ "upstash-deduplication-id": "once" });
    expect(await publish({ "upstash-deduplication-id": "once" }, "other")).toEqual({
      ...{ status: 202, body: first.body },
    });
    const byContent = { "upstash-content-based-deduplication": "true" };
    expect([
      await publish(byContent),
      await publish(byContent),
      await publish(byContent, "other"),
    ]).toMatchObject([{ status: 200 }, { status: 202 }, { status: 200 }]);
    qstash.clock.advance(11 * minute);
    expect(await publish({ "upstash-deduplication-id": "once" })).toMatchObject({ status: 200 });
  });

  it("is retried after 12 seconds, 2:28 and 30:08 under the same id, then given up, told and retried by hand", async () => {
    endpoint.answer = { status: 500, body: "no" };
    const failure = `${endpoint.url}/failed`;
    const { body } = await publish({ "upstash-failure-callback": failure });
    const seen = [];
    for (const pause of [0, 12_000, 148_000, 1_808_000]) {
      qstash.clock.advance(Math.max(0, pause - 1));
      if (pause > 0) expect(await qstash.run()).toEqual([]);
      qstash.clock.advance(1);
      seen.push(...(await qstash.run()));
    }
    expect(seen.map(({ message_id, retried }) => [message_id, retried])).toEqual(
      [0, 1, 2, 3].map((retried) => [body.messageId, retried]),
    );
    expect(endpoint.heard.map(({ headers }) => headers["upstash-retried"])).toEqual(["0", "1", "2", "3"]);
    endpoint.answer = { status: 200 };
    await qstash.run();
    const told = JSON.parse(endpoint.heard.at(-1)?.body ?? "");
    expect(told).toMatchObject({ status: 500, sourceMessageId: body.messageId, retried: 3, maxRetries: 3 });
    expect([atob(told.body), atob(told.sourceBody)]).toEqual(["no", '{"a": 1}']);
    const dlq = await qstash.api("GET", "/dlq");
    expect(dlq.body.messages).toMatchObject([
      { dlqId: told.dlqId, messageId: body.messageId, responseStatus: 500 },
    ]);
    const again = await qstash.api("POST", `/dlq/retry/${told.dlqId}`);
    expect(await qstash.run()).toMatchObject([{ message_id: again.body.messageId, status: 200 }]);
  });

  it.each([
    ["Retry-After in seconds", { "retry-after": "120" }, 120_000],
    ["a date", { "retry-after": new Date(Date.parse("2100-01-01")).toUTCString() }, 86_400_000],
    ["6m5s", { "x-ratelimit-reset": "6m5s" }, 365_000],
    ["its own expression", {}, 8_000],
  ])("comes back as %s says, within a day", async (_name, headers, pause) => {
    endpoint.answer = { status: 503, headers };
    await publish({ "upstash-retry-delay": "pow(2, retried + 3) * 1000" });
    await qstash.run();
    const [message] = (await waiting()).waiting;
    expect(message.notBefore - qstash.clock.now()).toBe(pause);
  });

  it("is given up at once after 489 with its header, and repeated after a success if told so", async () => {
    endpoint.answer = { status: 489, headers: { "upstash-nonretryable-error": "true" } };
    await publish();
    await qstash.run();
    expect(await waiting()).toMatchObject({ waiting: [], dead: [{ responseStatus: 489 }] });
    endpoint.answer = { status: 200 };
    endpoint.heard.length = 0;
    await qstash.control("PATCH", "/qstash/options", { duplicates: 2 });
    await publish({ "upstash-callback": `${endpoint.url}/done` });
    await qstash.run();
    const jobs = endpoint.heard.filter(({ url }) => url.startsWith("/api/job"));
    expect(new Set(jobs.map(({ headers }) => headers["upstash-message-id"])).size).toBe(1);
    expect(new Set(jobs.map(({ headers }) => headers["upstash-signature"])).size).toBe(3);
  });

  it("is signed by the next key after a rotation, and wrongly on demand", async () => {
    const rotated = await qstash.api("POST", "/keys/rotate");
    expect(rotated.body.current).toBe(demoAccount.keys.next);
    const signedWith = async (flaw: string | null) => {
      await qstash.control("PATCH", "/qstash/options", { flaw });
      await publish({ "upstash-retries": "0" });
      await qstash.run();
      return endpoint.heard.at(-1)?.headers["upstash-signature"];
    };
    const fine = await signedWith(null);
    expect(tokenIn(fine).isSignedBy(demoAccount.keys.next)).toBe(true);
    expect(await signedWith("replayed")).toBe(fine);
    expect(await signedWith("missing")).toBeUndefined();
    expect(tokenIn(await signedWith("forged")).isSignedBy(demoAccount.keys.next)).toBe(false);
    expect(tokenIn(await signedWith("next_key")).isSignedBy(rotated.body.next)).toBe(true);
    expect(tokenIn(await signedWith("expired")).claims.exp).toBeLessThan(qstash.clock.now() / 1_000);
    expect(tokenIn(await signedWith("subject")).claims.sub).not.toBe(tokenIn(fine).claims.sub);
    expect(tokenIn(await signedWith("body")).claims.body).not.toBe(tokenIn(fine).claims.body);
  });
});

describe("A schedule", () => {
  const schedule = (cron: string, headers: Readonly<Record<string, string>> = {}) =>
    qstash.api("POST", `/schedules/${endpoint.url}/api/publish`, { "upstash-cron": cron, ...headers }, "{}");

  it("fires at its minutes in its zone with a message of its own each time", async () => {
    const { body } = await schedule("CRON_TZ=Europe/Moscow 0,30 15-16 * * sun");
    qstash.clock.advance(29 * minute);
    expect(await qstash.run()).toEqual([]);
    qstash.clock.advance(32 * minute);
    const sent = await qstash.run();
    expect(sent.map(({ schedule_id }) => schedule_id)).toEqual([body.scheduleId, body.scheduleId]);
    expect(new Set(sent.map(({ message_id }) => message_id)).size).toBe(2);
    expect(endpoint.heard[0]?.headers["upstash-schedule-id"]).toBe(body.scheduleId);
  });

  it("is replaced by its id, listed, paused, resumed without what it missed, and deleted", async () => {
    const id = { "upstash-schedule-id": "seo.7_10-00" };
    await schedule("0 9 * * *", id);
    await schedule("* * * * *", { ...id, "upstash-retries": "1" });
    const { body } = await qstash.api("GET", "/schedules");
    expect(body).toMatchObject([
      { scheduleId: "seo.7_10-00", cron: "* * * * *", retries: 1, isPaused: false },
    ]);
    await qstash.api("POST", "/schedules/seo.7_10-00/pause");
    qstash.clock.advance(5 * minute);
    expect(await qstash.run()).toEqual([]);
    await qstash.api("PATCH", "/schedules/seo.7_10-00/resume");
    qstash.clock.advance(minute);
    expect(await qstash.run()).toHaveLength(1);
    expect((await qstash.api("DELETE", "/schedules/seo.7_10-00")).status).toBe(200);
    expect((await qstash.api("DELETE", "/schedules/seo.7_10-00")).status).toBe(404);
  });

  it.each([
    ["a cron of six fields", "0 0 9 * * *", {}, 400],
    ["a minute that no hour has", "60 9 * * *", {}, 400],
    ["a zone that nobody knows", "CRON_TZ=Moscow/Europe 0 9 * * *", {}, 400],
    ["an id with other characters", "0 9 * * *", { "upstash-schedule-id": "seo:7" }, 400],
    ["a moment", "0 9 * * *", { "upstash-not-before": "1794700000" }, 400],
    ["one more than the plan has", "0 9 * * *", {}, 412],
  ])("with %s is refused", async (_name, cron, headers, status) => {
    if (status === 412) await qstash.control("PATCH", "/qstash/options", { schedule_quota: 0 });
    expect((await schedule(cron, headers)).status).toBe(status);
  });

  it("has a page with its next firing", async () => {
    await schedule("CRON_TZ=Europe/Moscow 0 10 * * 1-5");
    const page = await (await fetch(`${qstash.url}/qstash/console/`)).text();
    expect(page).toContain("CRON_TZ=Europe/Moscow 0 10 * * 1-5");
    expect(page).toContain("16.11.2026, 10:00:00");
  });
});

function tokenIn(token: unknown): { claims: Json; isSignedBy(key: string): boolean } {
  const [header = "", payload = "", signature = ""] = String(token).split(".");
  return {
    claims: JSON.parse(Buffer.from(payload, "base64url").toString()),
    isSignedBy: (key) =>
      createHmac("sha256", key).update(`${header}.${payload}`).digest("base64url") === signature,
  };
}
