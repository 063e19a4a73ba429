import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createGuardedClient } from "../../kernel/outbound/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { aWorkspace, enqueue } from "../testing/builders.ts";
import { createMediaKeeper } from "./media-keeper.ts";
import { type MediaHarness, openMediaHarness, take } from "./testing/media-harness.ts";
import { type OriginServer, startOriginServer } from "./testing/origin-server.ts";

let database: TestDatabase;
let origin: OriginServer;
/** Accepts requests and never answers. */
let silent: OriginServer;
let harness: MediaHarness;
let workspace: string;
let keepers: Service[];

beforeAll(async () => {
  database = await testDatabase();
  origin = await startOriginServer();
  silent = await startOriginServer();
  silent.hold(new Promise(() => {}));
  harness = openMediaHarness(database.sql, { folder: tempFolder("media"), allowHosts: [origin.host] });
});
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  const http = createGuardedClient({ allowHosts: [origin.host, silent.host] });
  const { sql } = database;
  keepers = [1, 2].map(() =>
    createMediaKeeper({
      sql,
      storage: harness.storage,
      http,
      clock: systemClock,
      log: silentLog,
      maxBytes: 10_000,
    }),
  );
  for (const keeper of keepers) await keeper.start();
});
afterEach(async () => {
  for (const keeper of keepers) await keeper.stop();
});
afterAll(async () => {
  await harness.close();
  await origin.close();
  await silent.close();
  await database.drop();
});

const origins = () => database.sql`
  select origin_url, source_url, fetched_at, fetch_after = 'infinity' as given_up from delivery.media_origin
  where workspace_id = ${workspace}`;

// covers autoposting: Table: media_origin
it("keeps a post's files as soon as it has come, so that they outlive their address until the post is sent", async () => {
  const url = origin.serve("/soon-gone.pdf", Buffer.from("%PDF-1.4 скоро исчезнет"));
  await enqueue(database.sql, workspace, "на завтра", { payload: { media: [{ type: "document", url }] } });
  await until("the file is kept", async () => (await origins()).some(({ fetched_at }) => fetched_at));
  origin.serve("/soon-gone.pdf", 404);
  const source = harness.process()({ workspace_id: workspace, created_at: new Date(), settings: {} });
  expect((await take(source, { kind: "document", url })).upload).toEqual(
    Buffer.from("%PDF-1.4 скоро исчезнет"),
  );
  expect(origin.asked.get("/soon-gone.pdf")).toBe(1);
});

it("writes down where a file is to come from even while it cannot be fetched, and does not ask for ever", async () => {
  const gone = origin.serve("/gone.pdf", 410);
  const busy = origin.serve("/busy.pdf", 503);
  const media = [gone, busy].map((url) => ({ type: "document", url }));
  await enqueue(database.sql, workspace, "не найти", { payload: { media } });
  const rows = await until("both were asked for", async () => {
    const found = await origins();
    return origin.asked.get("/busy.pdf") && found.some(({ given_up }) => given_up) && found;
  });
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual(expect.objectContaining({ origin_url: gone, given_up: true }));
  expect(rows).toContainEqual(expect.objectContaining({ origin_url: busy, given_up: false }));
});

it("never gives one workspace all places, however many silent servers it names", async () => {
  const hostile = await aWorkspace(database.sql);
  const media = Array.from({ length: 20 }, (_, place) => ({
    type: "document",
    url: silent.serve(`/${place}.pdf`, 200),
  }));
  await enqueue(database.sql, hostile, "двадцать файлов", { payload: { media } });
  await until("each keeper waits for three of them", async () => silent.asked.size === 6);
  const url = origin.serve("/quick.pdf", Buffer.from("%PDF-1.4 другого пространства"));
  await enqueue(database.sql, workspace, "один файл", { payload: { media: [{ type: "document", url }] } });
  await until("the other's file is kept", async () => (await origins()).some(({ fetched_at }) => fetched_at));
  expect(silent.asked.size).toBe(6);
});
