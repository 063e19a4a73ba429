import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestTwins, type TestTwins } from "../shared/testing.ts";

let twins: TestTwins;
beforeAll(async () => {
  twins = await startTestTwins();
});
afterAll(() => twins.close());
beforeEach(() => twins.control("POST", "/reset"));

const key = "0123456789abcdef0123456789abcdef";
const id = "fc6d8c0c43fc4630ad850ee518f1b9d0";
const auth = `Sentry sentry_version=7, sentry_key=${key}, sentry_client=test/1.0`;

const anEvent = (more: object = {}) => ({
  ...{ event_id: id, timestamp: "2026-11-15T12:00:00.000Z", platform: "node", level: "error" },
  exception: { values: [{ type: "Error", value: "boom" }] },
  ...more,
});

function anEnvelope(
  event: unknown,
  { header = {}, item = {} }: { header?: object; item?: object } = {},
): string {
  const payload = JSON.stringify(event);
  const length = Buffer.byteLength(payload);
  return [
    { event_id: id, ...header },
    { type: "event", length, ...item },
  ]
    .map((line) => JSON.stringify(line))
    .concat(payload, "")
    .join("\n");
}

const send = (body: string | Uint8Array, { project = "1", headers = {} }: Sending = {}) =>
  fetch(`${twins.url}/sentry/api/${project}/envelope/`, {
    method: "POST",
    headers: { "content-type": "application/x-sentry-envelope", "x-sentry-auth": auth, ...headers },
    body,
  });
interface Sending {
  readonly project?: string;
  readonly headers?: Record<string, string>;
}

const events = async () => (await twins.control<{ events: unknown[] }>("GET", "/sentry/events")).events;

it("keeps an event once, however often and however packed it comes", async () => {
  const answer = await send(anEnvelope(anEvent()));
  expect([answer.status, await answer.json()]).toEqual([200, { id }]);
  expect((await send(anEnvelope(anEvent(), { item: { length: undefined } }))).status).toBe(200);
  const packed = gzipSync(anEnvelope(anEvent()));
  expect((await send(packed, { headers: { "content-encoding": "gzip" } })).status).toBe(200);
  expect(await events()).toEqual([
    { project: "1", at: expect.any(Number), client: "test/1.0", event: anEvent(), errors: [] },
  ]);
});

it("takes an envelope without items, and asks nothing about its project", async () => {
  expect((await send("{}\n", { project: "2" })).status).toBe(200);
});

it.each<[string, number, string, string, Sending]>([
  ["no key", 401, "missing authorization", anEnvelope(anEvent()), { headers: { "x-sentry-auth": "" } }],
  [
    "another scheme",
    401,
    "bad x-sentry-auth",
    anEnvelope(anEvent()),
    { headers: { "x-sentry-auth": "Bearer x" } },
  ],
  [
    "an old protocol",
    400,
    "unsupported protocol version (4)",
    anEnvelope(anEvent()),
    { headers: { "x-sentry-auth": auth.replace("version=7", "version=4") } },
  ],
  [
    "a key that is none",
    400,
    "bad sentry DSN public key",
    anEnvelope(anEvent()),
    { headers: { "x-sentry-auth": auth.replace(key, "short") } },
  ],
  [
    "a key of nobody",
    403,
    "ProjectId",
    anEnvelope(anEvent()),
    { headers: { "x-sentry-auth": auth.replace(key, "f".repeat(32)) } },
  ],
  ["a project of nobody", 403, "ProjectId", anEnvelope(anEvent()), { project: "2" }],
  ["a project without a number", 400, "bad project", anEnvelope(anEvent()), { project: "shop" }],
  ["nothing", 400, "empty request body", "", {}],
  ["what is no envelope", 400, "invalid event envelope", "hello\n", {}],
  ["an item without a type", 400, "invalid event envelope", "{}\n{}\n{}\n", {}],
  ["a wrong length", 400, "invalid event envelope", anEnvelope(anEvent(), { item: { length: 3 } }), {}],
  ["two events", 400, "invalid event envelope", `${anEnvelope(anEvent())}{"type":"event"}\n{}\n`, {}],
  ["an event that is no JSON", 400, "invalid JSON", `{"event_id":"${id}"}\n{"type":"event"}\noh\n`, {}],
  [
    "no id in the envelope",
    400,
    "invalid event id",
    anEnvelope(anEvent(), { header: { event_id: undefined } }),
    {},
  ],
  [
    "an event that is too large",
    413,
    "size limits",
    anEnvelope(anEvent({ extra: { x: "x".repeat(2 ** 20) } })),
    {},
  ],
  [
    "another coding than its own",
    400,
    "invalid request body",
    "{}\n",
    { headers: { "content-encoding": "gzip" } },
  ],
])("refuses %s with %i", async (_, status, detail, body, sending) => {
  const { "x-sentry-auth": given, ...headers } = sending.headers ?? {};
  const answer =
    given === ""
      ? await fetch(`${twins.url}/sentry/api/1/envelope/`, { method: "POST", body })
      : await send(body, { ...sending, headers: { ...headers, ...(given && { "x-sentry-auth": given }) } });
  expect([answer.status, await answer.json()]).toEqual([status, { detail: expect.stringContaining(detail) }]);
  expect(await events()).toEqual([]);
});

it("takes fields it does not understand, and says so beside the event", async () => {
  await send(anEnvelope(anEvent({ level: "loud", tags: { "a b": "1" }, shoe_size: 42 })));
  const [kept] = await events();
  expect(kept).toMatchObject({
    errors: [
      expect.stringContaining("level"),
      expect.stringContaining("tags"),
      expect.stringContaining("shoe_size"),
    ],
  });
});

it("knows other projects, and drops what exceeds a quota of theirs", async () => {
  await twins.control("POST", "/sentry/projects", { id: "2", key: "f".repeat(32) });
  const headers = { "x-sentry-auth": auth.replace(key, "f".repeat(32)) };
  await twins.control("PUT", "/sentry/quota", { seconds: 60, categories: ["transaction"] });
  expect((await send(anEnvelope(anEvent()), { project: "2", headers })).status).toBe(200);
  await twins.control("PUT", "/sentry/quota", { seconds: 60, categories: ["error"] });
  const limited = await send(anEnvelope(anEvent()), { project: "2", headers });
  expect([
    limited.status,
    limited.headers.get("retry-after"),
    limited.headers.get("x-sentry-rate-limits"),
  ]).toEqual([...[429, "60", "60:error:organization:quota_exceeded"]]);
});

it("misbehaves when told to, and writes everything down", async () => {
  await twins.control("POST", "/faults", {
    ...{ provider: "sentry", times: 1 },
    fault: { kind: "status", status: 503 },
  });
  expect((await send(anEnvelope(anEvent()))).status).toBe(503);
  expect(await twins.control("GET", "/journal?provider=sentry")).toMatchObject({
    entries: [
      { method: "POST /envelope", chat: "1", status: 503, request: [{}, { type: "event" }, anEvent()] },
    ],
  });
});
