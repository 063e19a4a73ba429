import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addChannel, createDispatcher, secretOf, setCredential } from "../../src/delivery/index.ts";
import { enqueuePost } from "../../src/delivery/ingest/enqueue-post.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createVault, generateKey } from "../../src/kernel/crypto/index.ts";
import { connect, type Sql } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { createPlatforms, withTwins } from "../../src/platforms/index.ts";
import { createCredentials } from "../../src/workspaces/index.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";
import { openHarness } from "./harness.ts";
import { app, credential, world } from "./pinterest/preparation.ts";
import { sampleMedia } from "./samples.ts";

/** Pinterest through the queue: a dispatcher, a database, and the twin. */
const harness = await openHarness("pinterest");
const vault = createVault([generateKey()], systemClock);
const http = createProviderClient({ defaultTimeoutMs: 5_000 });
const platforms = createPlatforms(withTwins({}, harness.twinsUrl));
const key = { platform: "pinterest", auth_ref: "shop" };
const by = { operator: "test" };

let database: TestDatabase;
let sql: Sql;
let workspaceId: string;
let stop = async () => {};

beforeAll(async () => {
  database = await testDatabase();
  ({ sql } = database);
  await sql`select workspaces.ensure_event_partitions()`;
});
beforeEach(async () => {
  await harness.reset();
  workspaceId = await aWorkspace(sql);
});
afterAll(async () => {
  await stop();
  await harness.close();
  await http.close();
  await database.drop();
});

const credentialsOver = (over: Sql) =>
  createCredentials(over, vault, { valueOf: () => undefined }, { platforms, http, clock: systemClock });

async function bind(fields: Readonly<Record<string, string>> = credential): Promise<string> {
  const token = secretOf(platforms.definitionOf("pinterest"), { fields });
  await setCredential({ sql, clock: systemClock, vault }, workspaceId, key, { token }, by);
  const [row] = await sql<[{ secret_ref: string }]>`
    select secret_ref from workspaces.credential_bindings where workspace_id = ${workspaceId}`;
  return row.secret_ref;
}

const messengers = () => ({
  sql,
  clock: systemClock,
  platforms,
  credentials: credentialsOver(sql),
  providers: http,
});

async function aBoard(target_id: string = world.board) {
  await bind();
  return addChannel(messengers(), workspaceId, { ...key, target_id }, by);
}

/** A queued post with a picture, for every board of the workspace. */
async function post(text: string): Promise<void> {
  const payload = { text, media: [{ type: "photo" as const, url: "https://i.example/p.jpg" }] };
  const counts = await sql.begin((tx) =>
    enqueuePost(tx, workspaceId, "webhook_push", { payload }, { platforms, clock: systemClock }),
  );
  expect(counts).toMatchObject({ queued: 1 });
}

interface Row {
  readonly status: string;
  readonly attempt: number;
  readonly provider_message_id: string | null;
  readonly last_error: { readonly code: string; readonly message: string } | null;
}

/** Runs a dispatcher until the only delivery of the workspace is as wanted. */
async function carried(isDone: (row: Row) => boolean): Promise<Row> {
  const dispatcher = createDispatcher({
    ...{ sql, http, platforms, clock: systemClock, log: silentLog, metrics: createMetrics() },
    ...{ concurrency: 4, sendingLeaseSeconds: 300, sendTimeoutSeconds: 30, media: () => sampleMedia() },
    credentials: credentialsOver(sql),
    payloads: { save: async () => "nowhere" },
  });
  await dispatcher.start();
  stop = () => dispatcher.stop();
  try {
    return await until("the delivery is as wanted", async () => {
      // Skips the wait for the next attempt.
      await sql`
        update delivery.deliveries set next_retry_at = now() where workspace_id = ${workspaceId} and status = 'retry'`;
      const [row] = await sql<Row[]>`
        select status, attempt, provider_message_id, last_error from delivery.deliveries
        where workspace_id = ${workspaceId}`;
      return row && isDone(row) && row;
    });
  } finally {
    await dispatcher.stop();
    stop = async () => {};
  }
}

const isSent = ({ status }: Row) => status === "sent";
const refreshes = async () => (await harness.journal("POST /oauth/token")).length;

test("a board is added by its link, and a post is pinned there once", async () => {
  const channel = await aBoard(`https://www.pinterest.com/shop/${encodeURIComponent("осенний-чай")}/`);
  expect(channel).toMatchObject({ target_id: world.board, title: "Осенний чай" });
  await post("Чай");
  const sent = await carried(isSent);
  expect(await harness.messages()).toMatchObject([{ id: sent.provider_message_id, text: "Чай" }]);
});

// covers networks: Pinterest: once by reading the board
test("a Pin whose answer is lost is looked for on the board, and stands there once", async () => {
  await aBoard();
  await post("Чай");
  await harness.fault({ kind: "drop_after" });
  const sent = await carried(isSent);
  expect(sent.attempt).toBe(2);
  const pins = await harness.messages();
  expect(pins).toMatchObject([{ id: sent.provider_message_id }]);
  expect(await harness.journal("POST /pins")).toHaveLength(1);
});

describe("a token", () => {
  const ending = { ...credential, expires_at: new Date(Date.now() + 3_600_000).toISOString() };

  // covers networks: Pinterest: a token is renewed once
  test("that ends within a day is renewed once, however many processes ask at the same time", async () => {
    const secretRef = await bind(ending);
    const pools = Array.from({ length: 3 }, () => connect({ url: database.url, max: 4 }));
    const readers = pools.map(credentialsOver);
    const reads = await Promise.all(
      [...readers, ...readers].map((each) => each.ofPlatform(workspaceId, "pinterest", secretRef)),
    );
    expect(await refreshes()).toBe(1);
    const [first] = reads;
    expect(first).toMatchObject({
      kind: "ready",
      credential: { access_token: expect.stringMatching(/^pina_/) },
    });
    for (const read of reads) expect(read).toEqual(first);
    await Promise.all(pools.map((pool) => pool.end()));
  });

  // covers networks: Pinterest: a token is renewed once
  test("that is refused is renewed once by all who met the refusal, and the post goes out in the same attempt", async () => {
    await aBoard();
    await post("Чай");
    await harness.fault({ kind: "status", status: 401 });
    expect(await carried(isSent)).toMatchObject({ attempt: 1 });
    expect(await refreshes()).toBe(1);
    const secretRef = await bind();
    const pools = Array.from({ length: 3 }, () => connect({ url: database.url, max: 4 }));
    await harness.reset();
    const reads = await Promise.all(
      pools
        .map(credentialsOver)
        .map((each) => each.ofPlatform(workspaceId, "pinterest", secretRef, credential)),
    );
    expect(await refreshes()).toBe(1);
    for (const read of reads) expect(read).toEqual(reads[0]);
    await Promise.all(pools.map((pool) => pool.end()));
  });

  test("that was revoked stops the channel, and says that the account has to be connected again", async () => {
    const { channel_id } = await aBoard();
    await post("Чай");
    await harness.control("POST", "/pinterest/revoke", { access_token: credential.access_token });
    const ended = await carried(({ status }) => status === "failed_permanent");
    expect(ended.last_error).toMatchObject({
      code: "unauthorized",
      message: expect.stringContaining("has to be connected again"),
    });
    const [channel] = await sql<{ is_paused: boolean }[]>`
      select paused_until > now() as is_paused from delivery.channels
      where workspace_id = ${workspaceId} and channel_id = ${channel_id}`;
    expect(channel?.is_paused).toBe(true);
    // Connected again, the account posts as before.
    const given = await harness.control("POST", "/pinterest/tokens", {
      client_id: app.client_id,
      username: "shop",
    });
    const fields = { ...credential, access_token: given.access_token, refresh_token: given.refresh_token };
    const token = secretOf(platforms.definitionOf("pinterest"), { fields });
    const deps = { sql, clock: systemClock, vault };
    await setCredential(deps, workspaceId, key, { token }, by, { resume: true });
    await sql`delete from delivery.deliveries where workspace_id = ${workspaceId}`;
    await post("Ещё чай");
    expect(await carried(isSent)).toMatchObject({ attempt: 1 });
  });
});
