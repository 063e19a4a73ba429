import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { preparationOf } from "../../../tests/contract/preparation.ts";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { createCredentials, createVariables } from "../../workspaces/index.ts";
import { type AdminHarness, startAdminHarness } from "../admin/testing/harness.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { connect, connectionOf, disconnect, type NewConnection } from "./connections.ts";
import { ownerOf, publish, published, told } from "./testing/addressed-queue.ts";

const { credential, targetId, bot, chat } = await preparationOf("telegram");
let twins: RunningTwins;
let database: TestDatabase;
let harness: AdminHarness;
let clock: ManualClock;
let workspace: string;
beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: false, rateLimits: false });
  database = await databaseWithJobs();
  clock = manualClock(new Date("2026-11-15T12:00:00Z"));
  harness = await startAdminHarness(database, { clock, telegramApiRoot: `${twins.url}/telegram` });
});
afterAll(async () => {
  await harness.stop();
  await twins.close();
});
beforeEach(async () => {
  ({ workspaceId: workspace } = harness);
  await harness.sql`delete from delivery.channels where workspace_id = ${workspace}`;
  await harness.sql`delete from delivery.platform_limits where workspace_id = ${workspace}`;
  await harness.sql`delete from delivery.connection_pace`;
  await harness.sql`delete from workspaces.events where workspace_id = ${workspace}`;
});

function deps() {
  const { sql, vault } = harness;
  const platforms = createPlatforms({ TELEGRAM_API_ROOT: `${twins.url}/telegram` });
  const providers = createProviderClient();
  const credentials = createCredentials(sql, vault, createVariables([], {}), {
    platforms,
    http: providers,
    clock,
  });
  return { sql, clock, platforms, credentials, providers };
}

const given = (key: string, user = "1", fields: Partial<NewConnection> = {}): NewConnection => ({
  ...{ owner: ownerOf(user), key, platform: "telegram", target_id: targetId, auth_ref: "bot" },
  ...fields,
});

async function added(key: string, user = "1", fields: Partial<NewConnection> = {}): Promise<string> {
  const answer = await connect(deps(), workspace, given(key, user, fields));
  if (!("channel" in answer)) throw new Error(`not connected: ${answer.outcome}`);
  return answer.channel.channel_id;
}

const stateOf = async (channelId: string) => {
  const { body } = await harness.call("GET", `/channels/${channelId}`);
  return { state: body.state, connection: body.connection.state, error: body.connection.error };
};

/** The next delivery is refused with this scope and code. */
async function refuse(scope = "channel", code = "unauthorized"): Promise<void> {
  const { sql } = harness;
  await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${clock.now()})`;
  await sql`
    select delivery.settle_deliveries(${workspace}, (
      select jsonb_agg(jsonb_build_object('delivery_id', delivery_id, 'token', claim_token, 'kind', 'failed', 'error',
        jsonb_build_object('category', 'PERMANENT', 'scope', ${scope}::text, 'code', ${code}::text, 'message', 'токен отозван')))
      from delivery.start_sending(${workspace}, 'run', 10, ${clock.now()})), ${clock.now()})`;
}

const actions = async (channelId: string) =>
  (
    await harness.sql<{ action: string }[]>`
      select action from workspaces.events where channel_id = ${channelId} order by ts, id`
  ).map(({ action }) => action);

describe("a connection", () => {
  // covers addressed: Unique by the product's key
  it("is unique by its product's key: two users may have connected one chat, which a routed channel has, too", async () => {
    await aChannel(harness.sql, workspace, { target_id: targetId });
    const one = await added("a", "1");
    const other = await added("b", "2");
    expect(other).not.toBe(one);
    await expect(aChannel(harness.sql, workspace, { target_id: targetId })).rejects.toMatchObject({
      constraint_name: "channels_workspace_id_platform_target_id_key",
    });
    const targets =
      await harness.sql`select target_id from delivery.channels where workspace_id = ${workspace}`;
    expect(targets.map(({ target_id }) => target_id)).toEqual([targetId, targetId, targetId]);
  });

  it("does not keep a routed channel from its chat", async () => {
    await added("a");
    const answer = await harness.call("POST", "/channels", {
      ...{ platform: "telegram", target_id: targetId, auth_ref: "bot" },
    });
    expect(answer.status).toBe(201);
  });

  it("given again under its key is the same, renewed; another user's key is refused", async () => {
    const first = await added("a");
    const again = await connect(
      deps(),
      workspace,
      given("a", "1", { auth_ref: "other", title: "Новое имя" }),
    );
    expect(again).toMatchObject({
      outcome: "renewed",
      channel: { channel_id: first, auth_ref: "other", title: "Новое имя" },
    });
    expect(await connect(deps(), workspace, given("a", "2"))).toEqual({ outcome: "taken" });
  });

  // covers addressed: Unique by the product's key
  it("added by several at once under one key is one", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => connect(deps(), workspace, given("a"))),
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["added", "renewed", "renewed", "renewed"]);
  });

  // covers addressed: Only its owner addresses a connection
  it("of somebody else is not found, and cannot be removed", async () => {
    const channel = await added("a", "1");
    await expect(connectionOf(deps(), workspace, ownerOf("2"), channel)).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(disconnect(deps(), workspace, ownerOf("2"), channel)).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(
      disconnect(deps(), await aWorkspace(harness.sql), ownerOf("1"), channel),
    ).rejects.toMatchObject({ code: "not_found" });
    expect(await connectionOf(deps(), workspace, ownerOf("1"), channel)).toMatchObject({
      channel_id: channel,
    });
  });

  it("that is removed with posts waiting tells their product", async () => {
    const channel = await added("a");
    const delivery = await published(publish(harness.sql, workspace, [channel], clock));
    await disconnect(deps(), workspace, ownerOf("1"), channel);
    expect((await told(harness.sql, workspace)).filter((end) => end.delivery_id === delivery)).toEqual([
      expect.objectContaining({ outcome: "channel_deleted" }),
    ]);
  });
});

describe("ten new connections an hour are what a user may add", () => {
  // covers addressed: Ten new connections an hour
  // covers networks: Ten new connections an hour for each user
  it("the eleventh is told when to come again, and renewing or another user counts for nothing", async () => {
    for (let number = 0; number < 10; number++) {
      await added(`k${number}`);
      clock.advance(60_000);
    }
    const began = clock.now().getTime() - 600_000;
    expect(await connect(deps(), workspace, given("k10"))).toEqual({
      outcome: "too_many",
      waitUntil: new Date(began + 3_600_000),
    });
    expect(await connect(deps(), workspace, given("k3"))).toMatchObject({ outcome: "renewed" });
    expect(await connect(deps(), workspace, given("other", "2"))).toMatchObject({ outcome: "added" });
    clock.advance(3_000_001);
    expect(await connect(deps(), workspace, given("k10"))).toMatchObject({ outcome: "added" });
  });

  // covers addressed: Ten new connections an hour
  // covers networks: Ten new connections an hour for each user
  it("removing them does not make room", async () => {
    for (let number = 0; number < 10; number++)
      await disconnect(deps(), workspace, ownerOf("1"), await added(`k${number}`));
    expect(await connect(deps(), workspace, given("k10"))).toMatchObject({ outcome: "too_many" });
  });

  // covers addressed: Ten new connections an hour
  // covers networks: Ten new connections an hour for each user
  it("however many are added at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, number) => connect(deps(), workspace, given(`k${number}`))),
    );
    expect(answers.filter(({ outcome }) => outcome === "added")).toHaveLength(10);
    expect(answers.filter(({ outcome }) => outcome === "too_many")).toHaveLength(4);
  });
});

describe("a refusal of a connection", () => {
  // covers addressed: A refused connection fails, and nothing is paused
  it("pauses and disables nothing, however often it comes: the connection has failed, and says why", async () => {
    const channel = await added("a");
    for (let number = 0; number < 4; number++) await publish(harness.sql, workspace, [channel], clock);
    await harness.sql`update delivery.channels set max_parallel = 4, rate_rps = null where channel_id = ${channel}`;
    await refuse();
    expect(await stateOf(channel)).toEqual({
      state: "active",
      connection: "error",
      error: { code: "unauthorized", message: "токен отозван", category: "PERMANENT", scope: "channel" },
    });
    expect(await actions(channel)).toContain("connection_failed");
    expect(await actions(channel)).not.toContain("channel_paused");
    expect(await actions(channel)).not.toContain("channel_disabled");
  });

  // covers addressed: A refused connection fails, and nothing is paused
  it("alerts no operator", async () => {
    const channel = await added("a");
    const routed = await aChannel(harness.sql, workspace);
    await harness.sql`update delivery.channels set max_parallel = 9, rate_rps = null where channel_id = ${channel}`;
    for (let number = 0; number < 8; number++) await publish(harness.sql, workspace, [channel], clock);
    await refuse();
    const findings = () => harness.sql<{ reason: string; count: number }[]>`
      select reason, count from delivery.monitor_findings(${workspace}, p_now => ${clock.now()})`;
    expect(await findings()).toEqual([]);
    // A channel of the operator, unlike a connection, does raise an alert.
    await harness.sql`
      insert into workspaces.events (workspace_id, id, channel_id, ts, action, result)
      select ${workspace}, molva.uuidv7(), ${routed}, ${clock.now()}, 'failed_permanent', 'error' from generate_series(1, 6)`;
    expect(await findings()).toEqual([
      expect.objectContaining({ reason: "failed_permanent_threshold", count: 6 }),
    ]);
  });

  // covers addressed: A refused connection fails, and nothing is paused
  it("refuses further posts at once with that reason, and their product is told", async () => {
    const channel = await added("a");
    await publish(harness.sql, workspace, [channel], clock);
    await refuse();
    const before = (await told(harness.sql, workspace)).length;
    expect(await publish(harness.sql, workspace, [channel], clock)).toMatchObject({
      deliveries: [{ status: "failed_permanent", error: { code: "connection_error" } }],
    });
    expect((await told(harness.sql, workspace)).slice(before)).toEqual([
      expect.objectContaining({
        outcome: "refused",
        error: { code: "connection_error", message: expect.stringContaining("токен отозван") },
      }),
    ]);
  });

  it("of the post alone, or of the platform, leaves the connection active", async () => {
    const channel = await added("a");
    await publish(harness.sql, workspace, [channel], clock);
    await refuse("delivery", "bad_request");
    expect(await stateOf(channel)).toMatchObject({ connection: "active", error: null });
  });
});

describe("a connection that has failed takes posts again", () => {
  async function failed(auth_ref = "bot"): Promise<string> {
    const channel = await added("a", "1", { auth_ref });
    await publish(harness.sql, workspace, [channel], clock);
    await refuse();
    expect(await stateOf(channel)).toMatchObject({ connection: "error" });
    return channel;
  }
  const isActive = async (channel: string) => {
    expect(await stateOf(channel)).toMatchObject({ connection: "active", error: null });
    expect((await actions(channel)).filter((action) => action === "connection_restored")).toHaveLength(1);
    expect(await publish(harness.sql, workspace, [channel], clock)).toMatchObject({
      deliveries: [{ status: "queued" }],
    });
  };

  // covers addressed: A refused connection fails, and nothing is paused
  it("when its credential gets another token", async () => {
    const channel = await failed("mine");
    await harness.call("PUT", "/credentials/telegram/theirs", { fields: credential });
    expect(await stateOf(channel)).toMatchObject({ connection: "error" });
    await harness.call("PUT", "/credentials/telegram/mine", { fields: credential });
    await isActive(channel);
  });

  it("when it is given another credential", async () => {
    await harness.call("PUT", "/credentials/telegram/another", { fields: credential });
    const channel = await failed();
    const { status } = await harness.call("POST", `/channels/${channel}/rotate`, {
      auth_ref: "another",
      reason: "новый",
    });
    expect(status).toBe(200);
    await isActive(channel);
  });

  it("when its user connects it again", async () => {
    const channel = await failed();
    await connect(deps(), workspace, given("a"));
    await isActive(channel);
  });

  // covers addressed: A refused connection fails, and nothing is paused
  it("when a test of it succeeds, and not when it fails", async () => {
    await harness.call("PUT", "/credentials/telegram/tested", { fields: credential });
    const channel = await failed("tested");
    expect((await harness.call("POST", `/channels/${channel}/test`)).body.ok).toBe(false);
    expect(await stateOf(channel)).toMatchObject({ connection: "error" });
    for (const [path, body] of Object.entries({ bots: bot, chats: chat })) {
      const made = await fetch(`${twins.url}/_control/telegram/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(made.ok).toBe(true);
    }
    expect((await harness.call("POST", `/channels/${channel}/test`)).body).toMatchObject({ ok: true });
    await isActive(channel);
  });

  it("when a post arrives after all", async () => {
    const channel = await added("a");
    await harness.sql`update delivery.channels set rate_rps = null where channel_id = ${channel}`;
    await publish(harness.sql, workspace, [channel], clock);
    await publish(harness.sql, workspace, [channel], clock);
    await refuse();
    await harness.sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${clock.now()})`;
    await harness.sql`
      select delivery.settle_deliveries(${workspace}, (
        select jsonb_agg(jsonb_build_object('delivery_id', delivery_id, 'token', claim_token, 'kind', 'sent', 'provider_message_id', '1'))
        from delivery.start_sending(${workspace}, 'run', 10, ${clock.now()})), ${clock.now()})`;
    await isActive(channel);
  });
});

it("lists show whose a connection is and its state, and choose by them", async () => {
  const channel = await added("a");
  await aChannel(harness.sql, workspace);
  await publish(harness.sql, workspace, [channel], clock);
  const ids = async (query: string) =>
    (await harness.call("GET", `/channels?${query}`)).body.items.map(
      (each: { channel_id: string }) => each.channel_id,
    );
  expect(await ids("addressed=true")).toEqual([channel]);
  expect(await ids("addressed=false")).not.toContain(channel);
  expect(await ids("connection=error")).toEqual([]);
  await refuse();
  expect(await ids("connection=error")).toEqual([channel]);
  expect((await harness.call("GET", `/channels/${channel}`)).body.owner).toEqual({
    product: "press",
    user: "1",
    key: "a",
  });
});
