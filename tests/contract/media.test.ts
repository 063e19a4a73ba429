import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type MediaHarness, openMediaHarness } from "../../src/delivery/media/testing/media-harness.ts";
import { type OriginServer, startOriginServer } from "../../src/delivery/media/testing/origin-server.ts";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { type MediaSource, platformNames } from "../../src/platforms/index.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type Harness, openHarness } from "./harness.ts";
import { aPost } from "./posts.ts";
import { carries, type Feature, preparationOf } from "./preparation.ts";
import { png } from "./samples.ts";

let database: TestDatabase;
let origin: OriginServer;
let files: MediaHarness;
beforeAll(async () => {
  database = await testDatabase();
  origin = await startOriginServer();
  files = openMediaHarness(database.sql, {
    folder: tempFolder("media"),
    allowHosts: [origin.host],
    maxBytes: 64 * 1024 * 1024,
  });
});
afterAll(async () => {
  await files.close();
  await origin.close();
  await database.drop();
});

const picture = (width: number, height: number, format: "png" | "webp" | "gif" = "png") =>
  sharp({ create: { width, height, channels: 3, background: "#369" } })
    .toFormat(format)
    .toBuffer();

let number = 0;
const serve = (bytes: Uint8Array, end = ".bin") => origin.serve(`/${number++}${end}`, bytes);

const prepared = await Promise.all(
  platformNames.map(async (name) => ({ name, preparation: await preparationOf(name) })),
);

/** Files by address, fetched, kept and uploaded as in production, against the twin of every platform. */
describe.each(prepared)("$name", ({ name, preparation }) => {
  const has = (...features: Feature[]) => carries(preparation, ...features);
  let harness: Harness;
  let workspace_id: string;
  beforeAll(async () => {
    harness = await openHarness(name);
    workspace_id = await aWorkspace(database.sql);
  });
  beforeEach(() => harness.reset());
  afterAll(() => harness.close());

  const mediaOf = (settings: Record<string, unknown> = {}): MediaSource =>
    files.process()({ workspace_id, created_at: new Date(), settings });
  let sent = 0;
  const send = (kind: "photo" | "animation" | "document", url: string, settings = {}) =>
    harness.send(aPost({ text: "Файл", media: [{ kind, url }] }), {
      media: mediaOf(settings),
      idempotencyKey: `delivery-${sent++}`,
    });
  const shown = async () => (await harness.messages()).flatMap(({ media }) => media);

  // covers autoposting: MAX adapter profile
  test("takes the largest file of each kind and nothing of one that is a byte larger", async () => {
    for (const { kind, bytes, size: [width, height] = [640, 480] } of harness.preparation.largestFiles) {
      await harness.reset();
      const content = kind === "photo" ? png(width, height, bytes) : randomBytes(bytes);
      const outcome = await send(kind, serve(content));
      expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: "sent" });
      expect(await shown()).toMatchObject([{ kind, size: bytes }]);

      const before = (await harness.journal()).length;
      const larger = Buffer.concat([content, Buffer.from([0])]);
      expect(await send(kind, serve(larger), { convert_images: false })).toMatchObject({
        kind: "failed",
        error: { category: "PERMANENT", scope: "delivery", code: "media_too_large" },
      });
      expect(await harness.journal()).toHaveLength(before);
    }
  });

  test("takes a picture of the largest measures as it is, and one beyond them made smaller", async () => {
    const { largest, beyond } = harness.preparation.pictures;
    await send("photo", serve(await picture(...largest)));
    await send("photo", serve(await picture(...beyond)));
    const [fits, made] = await shown();
    expect([fits?.width, fits?.height]).toEqual(largest);
    expect(made?.width).toBeLessThanOrEqual(largest[0]);
    expect(await send("photo", serve(await picture(...beyond)), { convert_images: false })).toMatchObject({
      kind: "failed",
      error: { code: "media_too_large", message: expect.stringContaining("convert_images") },
    });
  });

  test("shows a WebP picture, whatever has to be made of it", async () => {
    expect((await send("photo", serve(await picture(120, 90, "webp")))).kind).toBe("sent");
    const [width, height] = harness.preparation.pictures.cropped ?? [120, 90];
    expect(await shown()).toMatchObject([{ kind: "photo", width, height }]);
  });

  test.runIf(has("animation"))(
    "shows an animated picture whose address does not say what it is",
    async () => {
      expect((await send("animation", serve(await picture(20, 20, "gif"), "/moving"))).kind).toBe("sent");
      expect(await shown()).toHaveLength(1);
    },
  );

  test.runIf(has("document"))("keeps the name of a document", async () => {
    const url = serve(Buffer.from("%PDF-1.7"), `/${encodeURIComponent("прайс на зиму.pdf")}`);
    await send("document", url);
    expect(await shown()).toMatchObject([{ kind: "document", name: "прайс на зиму.pdf" }]);
  });

  // covers autoposting: Point 41
  test("wanted by many posts at once is fetched and uploaded once", async () => {
    const url = serve(await picture(50, 50));
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => send("photo", url)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => "sent"));
    expect(origin.asked.get(new URL(url).pathname)).toBe(1);
    const uploads = (await harness.journal()).filter(
      ({ method, request }) =>
        method === (preparation.methods.upload ?? "POST /_upload") ||
        JSON.stringify(request).includes("attach://"),
    );
    expect(uploads).toHaveLength(has("references") ? 1 : 0);
  });

  test("is uploaded by one post after another when the first of them fails", async () => {
    const url = serve(await picture(51, 51));
    await harness.fault({ kind: "status", status: 503 }, { method: harness.preparation.methods.photo });
    const kinds = (await Promise.all([send("photo", url), send("photo", url)])).map(({ kind }) => kind);
    const refused = preparation.serverErrors === "in_doubt" ? "unknown" : "failed";
    expect(kinds.toSorted()).toEqual([refused, "sent"].toSorted());
  });
});
