import { request } from "node:http";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createStorage, type ObjectStorage } from "../../kernel/storage/index.ts";
import { anOrder, openMediaHarness, take } from "../media/testing/media-harness.ts";
import { runRetention } from "../retention/run-retention.ts";
import { day } from "../retention/testing.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import { uploadRoutes } from "./upload-routes.ts";

const maxBytes = 2 * 1024 * 1024;
const clock = manualClock();
const folder = tempFolder("uploads");

let database: TestDatabase;
let sql: Sql;
let server: TestHttpServer;
let storage: ObjectStorage;
let workspace: string;
let headers: Record<string, string>;
let picture: Buffer;

beforeAll(async () => {
  database = await testDatabase();
  ({ sql } = database);
  storage = createStorage({ folder, urlBase: "http://localhost/media", secret: "secret", clock });
  server = await startTestHttpServer({
    ...{ sql, clock },
    modules: [uploadRoutes({ sql, clock, storage, maxBytes, publicUrl: "http://molva.local:8080" })],
  });
  picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
});
afterAll(async () => {
  await server.stop();
  await storage.close();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(sql);
  headers = await server.bearer(["read", "write"], workspace);
});

async function upload(
  body: Uint8Array | string,
  { name = "", type = "application/octet-stream", as = headers } = {},
) {
  const query = new URLSearchParams({ workspace_id: workspace, ...(name && { file_name: name }) });
  const answer = await server.call(`/api/v1/media?${query}`, {
    body,
    headers: { ...as, "content-type": type },
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const get = (id: string, as = headers) => server.call(`/api/v1/media/${id}`, { headers: as });

describe("POST /media", () => {
  it("stores a picture and tells what it is and how a post names it", async () => {
    const { status, body } = await upload(picture, { name: "Красный.jpg", type: "image/jpeg" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      url: `http://molva.local:8080/api/v1/media/${body.id}`,
      kind: "photo",
      size: picture.length,
      content_type: "image/jpeg",
      file_name: "Красный.jpg",
      width: 30,
      height: 20,
    });
  });

  it("takes four files of a caller at once, and the next when one of them has ended", async () => {
    const refused: number[] = [];
    const begun = Array.from({ length: 5 }, (_, at) => {
      const sending = request(`${server.url()}/api/v1/media?workspace_id=${workspace}`, {
        method: "POST",
        headers: { ...headers, "content-type": "image/jpeg", "content-length": picture.length },
      });
      sending.on("error", () => undefined);
      sending.on("response", ({ statusCode }) => statusCode === 429 && refused.push(at));
      sending.write(picture.subarray(0, 10));
      return sending;
    });
    await until("one of five is refused", () => refused.length === 1);
    expect((await upload(picture)).status).toBe(429);
    begun.find((_, at) => !refused.includes(at))?.destroy();
    await until("there is room again", async () => (await upload(picture)).status === 201);
    for (const sending of begun) sending.destroy();
  });

  it("lends the file to a post that names its address, also after the installation has moved, and asks nobody for it", async () => {
    const { body } = await upload(picture, { name: "a.jpg" });
    // Nothing may be fetched: no host is allowed.
    const harness = openMediaHarness(sql, { folder, allowHosts: [], clock });
    for (const url of [body.url, `https://molva.example.com/api/v1/media/${body.id}`]) {
      await aChannel(sql, workspace);
      const { message_id } = await enqueue(sql, workspace, `Пост ${url}`, {
        now: clock.now(),
        payload: { media: [{ type: "photo", url }] },
      });
      const [message] = await sql`
        select payload #>> '{media,0,blob_ref}' as ref from delivery.messages where message_id = ${message_id}`;
      expect(message?.ref).toBe(`upload-${body.id}`);
      const source = harness.process()({ workspace_id: workspace, created_at: clock.now(), settings: {} });
      const lent = await take(source, { kind: "photo", url, blobRef: message?.ref }, anOrder(), message_id);
      if (url === body.url) expect(Buffer.from(lent.upload ?? [])).toEqual(picture);
      else expect(lent.reference).toBeDefined();
    }
    await harness.close();
  });

  it.each([
    [
      "a text that is called a picture",
      "Это текст",
      { name: "photo.jpg" },
      /photo\.jpg is called a picture, but its content is something else/,
    ],
    ["a text that is announced as a picture", "Это текст", { type: "image/png" }, /called a picture/],
    [
      "a picture that is called a video",
      null,
      { name: "clip.mp4" },
      /called a video, but its content is image\/jpeg/,
    ],
    ["nothing", "", { name: "photo.jpg" }, /The file is empty/],
  ])("refuses %s with a sentence", async (_what, text, given, sentence) => {
    const { status, body } = await upload(text ?? picture, given);
    expect(status).toBe(422);
    expect(body.detail).toMatch(sentence);
    expect(await sql`select from delivery.media_origin where workspace_id = ${workspace}`).toHaveLength(0);
  });

  it("refuses a picture that is damaged", async () => {
    const { status, body } = await upload(picture.subarray(0, 40), { name: "photo.jpg" });
    expect(status).toBe(422);
    expect(body.detail).toMatch(/cannot be read as a picture: it is damaged/);
  });

  it("refuses what is too large before it is read, and while it is read if its size was not told", async () => {
    const large = Buffer.concat([picture, Buffer.alloc(maxBytes)]);
    const told = await upload(large, { name: "a.jpg" });
    expect(told.status).toBe(413);
    expect(told.body.detail).toBe(
      "The file is larger than the 2 MB that are taken at most (MOLVA_MEDIA_MAX_MB).",
    );
    const untold = await fetch(`${server.url()}/api/v1/media?workspace_id=${workspace}`, {
      method: "POST",
      headers: { ...headers, "content-type": "image/jpeg" },
      body: Readable.toWeb(Readable.from([large.subarray(0, 1000), large.subarray(1000)])) as ReadableStream,
      duplex: "half",
    } as RequestInit);
    expect(untold.status).toBe(413);
    expect(await untold.json()).toMatchObject({ code: "payload_too_large" });
    expect(await sql`select from delivery.media_origin where workspace_id = ${workspace}`).toHaveLength(0);
  });

  it("needs the scope write, and the workspace", async () => {
    expect((await upload(picture, { as: await server.bearer(["read"], workspace) })).status).toBe(403);
    const elsewhere = await server.bearer(["write"], await aWorkspace(sql));
    expect((await upload(picture, { as: elsewhere })).status).toBe(403);
  });

  it("keeps a file while a post names it, and deletes it with its object when nobody does any more", async () => {
    const { body: used } = await upload(picture, { name: "used.jpg" });
    const { body: unused } = await upload(picture, { name: "unused.jpg" });
    await aChannel(sql, workspace);
    const now = new Date(clock.now().getTime() + 31 * day);
    await enqueue(sql, workspace, "Пост", { now, payload: { media: [{ type: "photo", url: used.url }] } });
    await runRetention({ sql, storage, log: silentLog, clock: manualClock(now) });
    expect((await get(used.id)).status).toBe(200);
    expect((await get(unused.id)).status).toBe(404);
    const kept: string[] = [];
    for await (const { key } of storage.list(`media/${workspace}/`)) kept.push(key);
    expect(kept).toHaveLength(1);
  });
});

describe("GET /media/{id}", () => {
  it("shows pictures in the page, and gives everything else to be saved; neither can run anything", async () => {
    const { body } = await upload(picture, { name: "a.jpg" });
    const shown = await get(body.id);
    expect(shown.status).toBe(200);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "content-disposition": "inline; filename*=UTF-8''a.jpg",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(picture);

    const page = await upload("<html><script>alert(1)</script></html>", {
      name: "a.html",
      type: "text/html",
    });
    expect(page.body).toMatchObject({ kind: "document", content_type: "text/html" });
    const given = await get(page.body.id);
    expect(given.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(given.headers.get("content-security-policy")).toContain("sandbox");
    await given.arrayBuffer();
  });

  it("does not find a file of another workspace", async () => {
    const { body } = await upload(picture, { name: "a.jpg" });
    const elsewhere = await server.bearer(["read"], await aWorkspace(sql));
    expect((await get(body.id, elsewhere)).status).toBe(404);
    expect((await get("0198c0de-0000-7000-8000-000000000001")).status).toBe(404);
  });
});
