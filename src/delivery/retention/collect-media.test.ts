import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import type { ManualClock } from "../../kernel/clock/index.ts";
import { aWorkspace, enqueue } from "../testing/builders.ts";
import { type RetentionDeps, runRetention } from "./run-retention.ts";
import { day, retentionDeps } from "./testing.ts";

let database: TestDatabase;
let deps: RetentionDeps & { readonly clock: ManualClock };
let workspace: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await database.sql`delete from workspaces.workspaces`;
  await database.sql`truncate delivery.media_origin cascade`;
  deps = retentionDeps(database.sql, tempFolder("retention"));
  workspace = await aWorkspace(database.sql);
});
afterAll(() => database?.drop());

const ago = (days: number, ms = 0) => new Date(deps.clock.now().getTime() - days * day - ms);
const collect = async () => (await runRetention(deps)).media;
const refs = async () => {
  const rows = await database.sql`select blob_ref from delivery.media_origin order by 1`;
  return rows.map(({ blob_ref }) => blob_ref);
};
const isStored = async (blob: string) =>
  (await deps.storage.head(`media/${workspace}/${blob}`)) !== undefined;

async function aMedium(
  blob: string,
  seen: Date,
  about: { content_type?: string; size_bytes?: number; ref_count?: number; origin_url?: string } = {},
): Promise<void> {
  const row = {
    workspace_id: workspace,
    blob_ref: blob,
    origin_url: `storage:media/${workspace}/${blob}`,
    content_type: "image/jpeg",
    size_bytes: 3,
    last_seen_at: seen,
    ...about,
  };
  await database.sql`insert into delivery.media_origin ${database.sql(row)}`;
  await database.sql`insert into delivery.media_blobs (workspace_id, blob_ref, provider, file_id) values (${workspace}, ${blob}, 'telegram', 'f')`;
  await deps.storage.put(`media/${workspace}/${blob}`, Buffer.from("abc"), { contentType: "image/jpeg" });
}
const aPostWith = (blobs: string[], now: Date) =>
  enqueue(database.sql, workspace, `post with ${blobs}`, {
    now,
    payload: { media: blobs.map((blob_ref) => ({ type: "photo", blob_ref })) },
  });

// covers autoposting: Table: media_origin; Prod checklist; Point 35
it("deletes object and row 30 days after a medium was last seen, and what providers called it", async () => {
  for (const blob of ["a", "b", "c", "d", "e"]) await aMedium(blob, ago(30, 1));
  await aMedium("young", ago(30, -60_000));
  expect(await collect()).toBe(5);
  expect([await refs(), await isStored("a"), await isStored("young")]).toEqual([["young"], false, true]);
  expect(await database.sql`select blob_ref from delivery.media_blobs`).toEqual([{ blob_ref: "young" }]);
});

// covers autoposting: Table: media_origin; Prod checklist; Point 35
it("deletes large videos after 7 days, and only videos of 50 MiB and more", async () => {
  const large = 50 * 1024 * 1024;
  await aMedium("large-video", ago(8), {
    content_type: "video/mp4",
    size_bytes: large,
    origin_url: "https://elsewhere.example/v",
  });
  await aMedium("small-video", ago(8), { content_type: "video/mp4", size_bytes: large - 1 });
  await aMedium("large-image", ago(8), { content_type: "image/png", size_bytes: large });
  await aMedium("young-video", ago(6), { content_type: "video/mp4", size_bytes: large });
  await aMedium("unknown", ago(8), { content_type: "video/mp4" });
  expect(await collect()).toBe(1);
  expect(await refs()).toEqual(["large-image", "small-video", "unknown", "young-video"]);
});

// covers autoposting: Table: media_origin; Prod checklist; Point 35
it("keeps what a message uses, whatever the stored count says, and sets the count right", async () => {
  await aMedium("used", ago(100));
  await aMedium("twice", ago(100));
  await aMedium("free", ago(100), { ref_count: 7 });
  await aPostWith(["used", "twice"], ago(80));
  await aPostWith(["twice"], ago(80));
  await database.sql`update delivery.media_origin set last_seen_at = ${ago(100)}`;
  expect(await collect()).toBe(1);
  const left = await database.sql`select blob_ref, ref_count from delivery.media_origin order by 1`;
  expect(left).toEqual([
    { blob_ref: "twice", ref_count: 2 },
    { blob_ref: "used", ref_count: 1 },
  ]);
});

it("deletes a medium after the last message that used it went", async () => {
  await aMedium("used", ago(100));
  await aPostWith(["used"], ago(80));
  expect(await collect()).toBe(0);
  deps.clock.advance(11 * day);
  expect(await runRetention(deps)).toMatchObject({ messages: 1, media: 1 });
  expect(await isStored("used")).toBe(false);
});

// covers autoposting: Table: media_origin
it("counts a post, and each repeat of it, as seeing its media", async () => {
  await aMedium("a", ago(100));
  await aMedium("b", ago(100));
  await aPostWith(["b", "a"], ago(50));
  await aPostWith(["b", "a"], ago(2));
  const rows = await database.sql`select distinct last_seen_at from delivery.media_origin`;
  expect(rows).toEqual([{ last_seen_at: ago(2) }]);
});

it("looks for the users of a medium through an index, not through all messages", async () => {
  await database.sql`
    insert into delivery.messages (workspace_id, content_hash, payload)
    select ${workspace}, n::text, jsonb_build_object('media', jsonb_build_array(jsonb_build_object('blob_ref', 'blob' || n)))
    from generate_series(1, 3000) as n`;
  await database.sql`analyze delivery.messages`;
  const plan = await database.sql`
    explain select count(*) from delivery.messages m
    where m.workspace_id = ${workspace} and m.payload ? 'media'
      and jsonb_path_query_array(m.payload, '$.media[*].blob_ref') @> jsonb_build_array(${"blob7"}::text)`;
  expect(JSON.stringify(plan)).toContain("messages_blobs");
});

it("does not confuse the same name in two workspaces", async () => {
  const other = await aWorkspace(database.sql);
  await aMedium("same", ago(100));
  await enqueue(database.sql, other, "theirs", {
    now: ago(1),
    payload: { media: [{ type: "photo", blob_ref: "same" }] },
  });
  expect(await collect()).toBe(1);
});

it("deletes nothing of another workspace or of another kind, even if a row says so", async () => {
  const other = await aWorkspace(database.sql);
  const keys = [`media/${other}/x`, "payloads/x/y", `media/${workspace}/../${other}/x`];
  await deps.storage.put(`media/${other}/x`, Buffer.from("abc"), { contentType: "x/y" });
  for (const [index, key] of keys.entries())
    await aMedium(`bad${index}`, ago(100), { origin_url: `storage:${key}` });
  await aMedium("good", ago(100));
  await expect(collect()).rejects.toThrow("steps of retention failed: 1");
  expect(await refs()).toEqual(["bad0", "bad1", "bad2"]);
  expect(await deps.storage.head(`media/${other}/x`)).toBeDefined();
});

it("takes the media of a deleted workspace at the next run", async () => {
  await aMedium("left", ago(0));
  await database.sql`delete from workspaces.workspaces where workspace_id = ${workspace}`;
  expect(await collect()).toBe(1);
  expect(await isStored("left")).toBe(false);
});

it("keeps the row when the object could not be deleted", async () => {
  await aMedium("a", ago(100));
  const failing = { ...deps.storage, delete: () => Promise.reject(new Error("the disk is away")) };
  await expect(runRetention({ ...deps, storage: failing })).rejects.toThrow("steps of retention failed: 1");
  expect(await refs()).toEqual(["a"]);
  expect(await collect()).toBe(1);
});

it("makes a post that uses a medium being deleted wait, and lets it store the medium again", async () => {
  await aMedium("a", ago(100));
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reached = false;
  const slow = {
    ...deps.storage,
    async delete(key: string) {
      reached = true;
      await released;
      await deps.storage.delete(key);
    },
  };
  const run = runRetention({ ...deps, storage: slow });
  await until("the object is about to be deleted", () => reached);
  const stored = database.sql`
    insert into delivery.media_origin (workspace_id, blob_ref, origin_url, last_seen_at)
    values (${workspace}, 'a', ${`storage:media/${workspace}/a`}, ${ago(0)})
    on conflict (workspace_id, blob_ref) do update set last_seen_at = excluded.last_seen_at`.execute();
  await until("the writer waits for the row", async () => {
    const [row] = await database.sql`
      select count(*) > 0 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.waits;
  });
  release();
  expect(await run).toMatchObject({ media: 1 });
  await stored;
  expect(await refs()).toEqual(["a"]);
});
