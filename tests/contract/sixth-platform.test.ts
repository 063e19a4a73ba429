import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  addChannel,
  createDispatcher,
  factsInSql,
  secretOf,
  setCredential,
} from "../../src/delivery/index.ts";
import { enqueuePost } from "../../src/delivery/ingest/enqueue-post.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { manualClock, systemClock } from "../../src/kernel/clock/index.ts";
import { createVault, generateKey } from "../../src/kernel/crypto/index.ts";
import { connect, type Sql } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createProviderClient, type HttpClient } from "../../src/kernel/outbound/index.ts";
import { createPlatforms, noMedia, type PlatformDefinition, withTwins } from "../../src/platforms/index.ts";
import { createCredentials } from "../../src/workspaces/index.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";
import { openHarness } from "./harness.ts";
import { definitions } from "./platforms.ts";
import { preparationOf } from "./preparation.ts";

/** The last of the list, whatever its name: the test uses only the contract. */
const [newest] = definitions.slice(-1);
if (!newest) throw new Error("there are no platforms");
const { name } = newest;
const preparation = await preparationOf(name);

let database: TestDatabase;
let sql: Sql;
let workspaceId: string;
const harness = await openHarness(name);
const vault = createVault([generateKey()], systemClock);
const http = createProviderClient({ defaultTimeoutMs: 5_000 });
const platforms = createPlatforms(withTwins({}, harness.twinsUrl, definitions), {}, definitions);
const by = { operator: "test" };
const noVariables = { valueOf: () => undefined };

beforeAll(async () => {
  database = await testDatabase();
  ({ sql } = database);
  await sql`select workspaces.ensure_event_partitions()`;
  await bringFacts(definitions);
});
beforeEach(async () => {
  await harness.reset();
  workspaceId = await aWorkspace(sql);
});
afterAll(async () => {
  await harness.close();
  await http.close();
  await database.drop();
});

/** What `npm run generate` and `molva migrate` do for a platform of the registry. */
async function bringFacts(known: readonly PlatformDefinition[]): Promise<void> {
  for (const text of Object.values(factsInSql(known))) await sql.unsafe(text);
}

/** Stores the account under the name that channels use, and returns where. */
async function bind(credential = preparation.credential): Promise<string> {
  const token = secretOf(platforms.definitionOf(name), { fields: credential });
  const deps = { sql, clock: systemClock, vault };
  await setCredential(deps, workspaceId, { platform: name, auth_ref: "account" }, { token }, by);
  const [row] = await sql<[{ secret_ref: string }]>`
    select secret_ref from workspaces.credential_bindings where workspace_id = ${workspaceId}`;
  return row.secret_ref;
}

const credentialsOver = (over: Sql, clock = systemClock, through: HttpClient = http) =>
  createCredentials(over, vault, noVariables, { platforms, http: through, clock });

const refreshes = async () => (await harness.journal("POST /refresh")).length;

describe("through delivery", () => {
  test("a channel is added, a post enqueued, sent once and settled", async () => {
    await bind();
    const credentials = credentialsOver(sql);
    const admin = { sql, clock: systemClock, platforms, credentials, providers: http };
    const wanted = { platform: name, target_id: "https://board.example/b/News", auth_ref: "account" };
    const channel = await addChannel(admin, workspaceId, wanted, by);
    expect(channel.target_id).toBe(preparation.targetId);

    const article = { title: "Открытие" };
    const counts = await sql.begin((tx) =>
      enqueuePost(
        tx,
        workspaceId,
        "webhook_push",
        { payload: { text: "Ждём вас в субботу", article } },
        { platforms, clock: systemClock },
      ),
    );
    expect(counts).toMatchObject({ queued: 1, failed_permanent: 0 });
    const dispatcher = createDispatcher({
      ...{ sql, http, platforms, credentials, clock: systemClock, log: silentLog, metrics: createMetrics() },
      ...{ concurrency: 4, sendingLeaseSeconds: 300, sendTimeoutSeconds: 30, media: () => noMedia },
      payloads: { save: async () => "nowhere" },
    });
    await dispatcher.start();
    const sent = await until("the note is sent", async () => {
      const [row] = await sql<{ status: string; provider_message_id: string | null }[]>`
        select status, provider_message_id from delivery.deliveries where workspace_id = ${workspaceId}`;
      return row?.status === "sent" && row;
    });
    await dispatcher.stop();
    const messages = await harness.messages();
    expect(messages).toMatchObject([
      { id: sent.provider_message_id, text: "Открытие\n\nЖдём вас в субботу" },
    ]);
  });

  test("plain SQL reads its targets, measures its texts and checks its channel's settings", async () => {
    const add = (target: string, settings = {}) => sql`
      insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, settings)
      values (${workspaceId}, ${name}, ${target}, 'account', 'account', ${sql.json(settings)})`;
    await expect(add("42")).rejects.toThrow("A board has a name, and 42 is a number.");
    await expect(add("доска")).rejects.toThrow("Give the board's name");
    await expect(add("news", { pinned: "yes" })).rejects.toThrow("settings.pinned must be a boolean");
    await expect(add("news", { paper: "red" })).rejects.toThrow(
      "settings.paper must be one of white, yellow",
    );
    await add("b/News", { pinned: true, paper: "yellow" });
    const refusal = async (payload: object) => {
      const [row] = await sql<[{ fault: { message: string } | null }]>`
        select delivery.preflight(${name}, 'mixed', ${JSON.stringify(payload)}::text::jsonb) as fault`;
      return row.fault?.message;
    };
    expect(await refusal({ text: "я".repeat(501) })).toBe(
      "the text is 501 characters long, the platform takes 500",
    );
    expect(await refusal({ text: "я" })).toBeUndefined();

    await bringFacts([
      { ...platforms.definitionOf(name), limits: { text: 500, media: 1, needs: ["title", "picture"] } },
    ]);
    expect(await refusal({ text: "я" })).toContain("with a title only");
    const article = { title: "Т" };
    expect(await refusal({ text: "я", article })).toContain("with a picture only");
    expect(await refusal({ article, media: [{ type: "photo", url: "https://a.ru/1.jpg" }] })).toBeUndefined();
    await bringFacts(definitions);
  });
});

describe("a credential that ends soon", () => {
  const soon = () => new Date(Date.now() + 60_000).toISOString();
  const ending = async () => {
    const credential = { ...preparation.credential, expires_at: soon() };
    await harness.control("POST", "/reset");
    await harness.control("POST", `/${name}/bots`, credential);
    await harness.control("POST", `/${name}/chats`, preparation.chat);
    return bind(credential);
  };

  test("is renewed once, however many ask for it in however many processes", async () => {
    const secretRef = await ending();
    const others = [connect({ url: database.url, max: 4 }), connect({ url: database.url, max: 4 })];
    const readers = [sql, ...others].map((over) => credentialsOver(over));
    const reads = await Promise.all(
      [...readers, ...readers, ...readers].map((each) => each.ofPlatform(workspaceId, name, secretRef)),
    );
    expect(await refreshes()).toBe(1);
    const [first] = reads;
    expect(first).toMatchObject({ kind: "ready", credential: { login: preparation.credential.login } });
    for (const read of reads) expect(read).toEqual(first);
    if (first?.kind !== "ready") throw new Error("it is not ready");
    expect(first.credential.key).not.toBe(preparation.credential.key);
    // Stored in the same row, for later readers.
    expect(await credentialsOver(sql).ofPlatform(workspaceId, name, secretRef)).toEqual(first);
    expect(await refreshes()).toBe(1);
    await Promise.all(others.map((over) => over.end()));
  });

  test("stops its channel when the provider renews it no more, and says no word of it", async () => {
    const secretRef = await ending();
    await harness.fault(
      { kind: "status", status: 401, description: preparation.credential.refresh_key ?? "" },
      { method: "POST /refresh" },
    );
    const read = await credentialsOver(sql).ofPlatform(workspaceId, name, secretRef);
    expect(read).toMatchObject({
      kind: "failed",
      error: { category: "PERMANENT", scope: "channel", code: "unauthorized" },
    });
    expect(JSON.stringify(read)).not.toContain(preparation.credential.refresh_key);
  });

  test("goes on with what it has while its provider is away, and waits when that has ended", async () => {
    const secretRef = await ending();
    const clock = manualClock(new Date());
    const credentials = credentialsOver(sql, clock);
    await harness.fault({ kind: "status", status: 503 }, { method: "POST /refresh", times: 2 });
    const read = () => credentials.ofPlatform(workspaceId, name, secretRef);
    expect(await read()).toMatchObject({ kind: "ready", credential: { key: preparation.credential.key } });
    // It is not asked again at once.
    expect(await read()).toMatchObject({ kind: "ready" });
    expect(await refreshes()).toBe(1);
    clock.advance(61_000);
    expect(await read()).toMatchObject({ kind: "failed", error: { category: "TRANSIENT" } });
    expect(await read()).toMatchObject({ kind: "ready" });
  });

  test("is not renewed where a variable holds it, and never stored half", async () => {
    const variables = { valueOf: () => JSON.stringify({ ...preparation.credential, expires_at: soon() }) };
    const clock = manualClock(new Date());
    const fromVariable = createCredentials(sql, vault, variables, { platforms, http, clock });
    expect(await fromVariable.ofPlatform(workspaceId, name, "env:ACCOUNT")).toMatchObject({ kind: "ready" });
    clock.advance(3_600_000);
    expect(await fromVariable.ofPlatform(workspaceId, name, "env:ACCOUNT")).toMatchObject({
      kind: "failed",
      error: { code: "unauthorized", message: expect.stringContaining("molva credential set") },
    });
    expect(await refreshes()).toBe(0);
    const half = { valueOf: () => JSON.stringify({ login: "shop" }) };
    const broken = createCredentials(sql, vault, half, { platforms, http, clock: systemClock });
    expect(await broken.ofPlatform(workspaceId, name, "env:ACCOUNT")).toMatchObject({
      kind: "failed",
      error: { code: "missing_credential", message: expect.stringContaining("key is missing") },
    });
  });
});
