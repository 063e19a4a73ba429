import { Readable } from "node:stream";
import { expect, it, onTestFinished, vi } from "vitest";
import { manualClock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { createPlatforms, noMedia } from "../../platforms/index.ts";
import { type CarryDeps, carry } from "./carry.ts";
import { createDeparture } from "./departure.ts";
import { Interrupted } from "./interrupted.ts";
import type { StartedDelivery } from "./started-delivery.ts";

const clock = manualClock();
const nowhere = "http://127.0.0.1:9";
const never = () => Promise.reject(new Error("nobody should ask"));

/** All dependencies of a delivery, with a vault that does not answer. */
const deps: CarryDeps = {
  platforms: createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere }),
  credentials: { ofPlatform: () => Promise.reject(new Error("the database is away")) },
  http: { request: never },
  media: () => noMedia,
  clock,
  log: silentLog,
  render: never,
  saveProgress: never,
  chatFound: never,
  keepAnswer: async () => undefined,
  taken: never,
  departure: createDeparture(clock, 60_000, () => true),
  turn: never,
};

const post = { method: "POST /messages", body: { text: "Текст" }, text: "Текст", media: [] };

const delivery: StartedDelivery = {
  workspace_id: "w",
  delivery_id: "d",
  claim_token: "t",
  channel_id: "c",
  platform: "max",
  target_id: "-1",
  send_mode: "mixed",
  settings: {},
  secret_ref: "vault:1",
  unknown_policy: "at_least_once",
  payload: {},
  rendered_text: "Текст",
  render_meta: { compiled: { platform: "max", plainText: "Текст", losses: [], requests: [post] } },
  last_error: null,
  created_at: clock.now(),
  departs_at: clock.now(),
  gap_ms: null,
  wait_until: null,
};

const doubt = { category: "TRANSIENT", scope: "delivery", code: "outcome_unknown", message: "?" } as const;

it("what cannot be prepared has failed, and an earlier attempt that may have arrived stays in doubt", async () => {
  const calm = await carry(delivery, deps);
  const doubtful = await carry({ ...delivery, last_error: doubt }, deps);
  expect(calm).toMatchObject({ kind: "failed", error: { code: "preparation_failed" } });
  expect(doubtful).toMatchObject({ kind: "unknown", error: { code: "preparation_failed" } });
});

it("a token taken away stops the channel, and what may have arrived waits for the next one to be looked up", async () => {
  const bare = { ...deps, credentials: { ofPlatform: async () => ({ kind: "absent" as const }) } };
  const calm = await carry(delivery, bare);
  const doubtful = await carry({ ...delivery, last_error: doubt }, bare);
  expect(calm).toMatchObject({ kind: "failed", error: { code: "missing_credential" } });
  expect(doubtful).toMatchObject({ kind: "unknown", error: { code: "missing_credential" } });
});

it.each([
  { status: 401, body: { code: "verify.token", message: "Invalid access_token" }, asked: ["GET"] },
  { status: 503, body: {}, asked: ["GET"] },
  { status: 403, body: { code: "chat.denied", message: "chat.denied" }, asked: ["GET", "POST"] },
])(
  "a look that is refused with $status asks $asked, and the post stays in doubt",
  async ({ status, body, asked }) => {
    const methods: string[] = [];
    const request: HttpClient["request"] = async ({ method, url }) => {
      methods.push(method);
      if (method === "POST")
        return { kind: "failure", reason: "timeout", mayHaveArrived: true, message: "no answer" };
      return { kind: "answer", status, headers: {}, body: Buffer.from(JSON.stringify(body)), url };
    };
    const settled = await carry(
      { ...delivery, last_error: doubt },
      {
        ...deps,
        credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "токен" } }) },
        http: { request },
      },
    );
    expect(methods).toEqual(asked);
    expect(settled.kind).toBe("unknown");
  },
);

const pin: StartedDelivery = {
  ...delivery,
  platform: "pinterest",
  target_id: "549755885175",
  render_meta: {
    compiled: {
      ...{ platform: "pinterest", plainText: "Текст", losses: [] },
      requests: [
        {
          method: "POST /pins",
          body: { description: "Текст" },
          text: "Текст",
          media: [{ kind: "photo", url: "https://shop.example/a.png" }],
        },
      ],
    },
  },
};

it.each([
  { took: 29_000, timeouts: [30_000], code: "outcome_unknown" },
  { took: 31_000, timeouts: [], code: "interrupted" },
])(
  "of a lease of 60 s, a request after $took ms of fetching files gets $timeouts ms, so that it ends before another process sends it",
  async ({ took, timeouts, code }) => {
    const asked: (number | undefined)[] = [];
    const file = {
      size: 1,
      contentType: "image/png",
      fileName: "a.png",
      open: async () => Readable.from(["a"]),
    };
    const settled = await carry(pin, {
      ...deps,
      platforms: createPlatforms({ PINTEREST_API_ROOT: nowhere }),
      leaseMs: 60_000,
      departure: createDeparture(clock, 60_000, () => true),
      credentials: { ofPlatform: async () => ({ kind: "ready", credential: { access_token: "pina_a" } }) },
      media: () => ({
        ...noMedia,
        async lend(_media, _order, use) {
          clock.advance(took);
          return {
            ok: true,
            value: await use([{ as: "pin", kind: "upload", file, uploaded: async () => {} }]),
          };
        },
      }),
      http: {
        request: async ({ timeoutMs }) => {
          asked.push(timeoutMs);
          return { kind: "failure", reason: "timeout", mayHaveArrived: true, message: "no answer" };
        },
      },
    });
    clock.advance(-took);
    expect(asked).toEqual(timeouts);
    expect(settled).toMatchObject({ error: { code } });
  },
);

// covers addressed: Nobody waits for ever
it("what a person has stopped waiting for is not sent, and nobody is asked", async () => {
  const settled = await carry(
    { ...delivery, wait_until: clock.now() },
    { ...deps, credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "токен" } }) } },
  );
  expect(settled).toMatchObject({ kind: "failed", error: { category: "PERMANENT", code: "cancelled" } });
});

it.each([
  {
    name: "absent",
    status: 200,
    body: { messages: [] },
    ends: { kind: "failed", reconciled: "absent", error: { code: "cancelled" } },
  },
  {
    name: "not to be seen",
    status: 403,
    body: { code: "chat.denied", message: "chat.denied" },
    ends: { kind: "failed", error: { category: "PERMANENT", code: "outcome_unknown" } },
  },
  { name: "not told now", status: 503, body: {}, ends: { kind: "unknown" } },
])(
  "what a person has stopped waiting for and what may have arrived is looked up and, when $name, not sent again",
  async ({ status, body, ends }) => {
    const methods: string[] = [];
    const request: HttpClient["request"] = async ({ method, url }) => {
      methods.push(method);
      return { kind: "answer", status, headers: {}, body: Buffer.from(JSON.stringify(body)), url };
    };
    const settled = await carry(
      { ...delivery, last_error: doubt, wait_until: clock.now() },
      {
        ...deps,
        credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "токен" } }) },
        http: { request },
      },
    );
    expect(new Set(methods)).toEqual(new Set(["GET"]));
    expect(settled).toMatchObject(ends);
  },
);

it("an answer that takes much longer than usual says by how much its request may have been late", async () => {
  const departure = createDeparture(clock, 60_000, () => true);
  let now = performance.now();
  const stopwatch = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => stopwatch.mockRestore());
  const trip = async (answeredAfterMs: number, gap_ms: number | null) => {
    const answered = await departure({ channel_id: "c", departs_at: clock.now(), gap_ms });
    now += answeredAfterMs;
    return answered();
  };
  expect(await trip(1, 100)).toBeUndefined();
  expect(await trip(60, 100)).toBeGreaterThan(20);
  expect(await trip(60, null)).toBeUndefined();
});

it.each([null, 500])(
  "a process that was suspended does not send what another may have taken",
  async (gap_ms) => {
    const departure = createDeparture(clock, 60_000, () => true);
    const departed = (secondsAgo: number) =>
      departure({
        channel_id: "c",
        departs_at: new Date(clock.now().getTime() - secondsAgo * 1_000),
        gap_ms,
      });
    await expect(departed(29)).resolves.toBeTypeOf("function");
    await expect(departed(31)).rejects.toThrow(Interrupted);
  },
);

it("a process that others may take for gone sends nothing", async () => {
  const departure = createDeparture(clock, 60_000, () => false);
  await expect(departure({ channel_id: "c", departs_at: clock.now(), gap_ms: null })).rejects.toThrow(
    Interrupted,
  );
});
