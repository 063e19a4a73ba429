import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { until } from "../../../tests/support/until.ts";
import type { MediaSource } from "../../platforms/index.ts";
import { aWorkspace } from "../testing/builders.ts";
import type { MediaFor } from "./create-media.ts";
import { anOrder, type MediaHarness, openMediaHarness, take } from "./testing/media-harness.ts";
import { type OriginServer, startOriginServer } from "./testing/origin-server.ts";

let database: TestDatabase;
let origin: OriginServer;
let harness: MediaHarness;
let workspace_id: string;
let now = new Date();
const clock = { now: () => now };

beforeAll(async () => {
  database = await testDatabase();
  origin = await startOriginServer();
  harness = openMediaHarness(database.sql, { folder: tempFolder("media"), allowHosts: [origin.host], clock });
});
beforeEach(async () => {
  workspace_id = await aWorkspace(database.sql);
  origin.asked.clear();
});
afterAll(async () => {
  await harness.close();
  await origin.close();
  await database.drop();
});

const picture = (width: number, height: number, format: "png" | "jpeg" | "webp" | "gif" = "png") =>
  sharp({ create: { width, height, channels: 3, background: "#c33" } })
    .toFormat(format)
    .toBuffer();

function sourceIn(process: MediaFor, settings: Record<string, unknown> = {}): MediaSource {
  return process({ workspace_id, created_at: now, settings });
}

let number = 0;
/** A new address of a file that nobody has requested yet. */
async function aPhoto(bytes?: Uint8Array): Promise<{ kind: "photo"; url: string; path: string }> {
  const path = `/${number++}.png`;
  return { kind: "photo", path, url: origin.serve(path, bytes ?? (await picture(100, 80))) };
}

describe("a file", () => {
  // covers autoposting: Table: media_blobs
  it("is fetched and uploaded with its first post, and sent by reference from the second on", async () => {
    const photo = await aPhoto();
    const source = sourceIn(harness.process());
    const first = await take(source, photo);
    expect(first).toMatchObject({ contentType: "image/png", fileName: photo.path.slice(1) });
    expect(first.upload).toEqual(await picture(100, 80));
    expect(await take(source, photo)).toEqual({ reference: "file-1" });
    expect(origin.asked.get(photo.path)).toBe(1);
    const [row] = await database.sql`
      select o.*, b.provider, b.file_id from delivery.media_origin o join delivery.media_blobs b using (workspace_id, blob_ref)
      where workspace_id = ${workspace_id}`;
    expect(row).toMatchObject({
      origin_url: expect.stringMatching(`^storage:media/${workspace_id}/`),
      source_url: photo.url,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      content_type: "image/png",
      size_bytes: first.upload?.length,
      width: 100,
      height: 80,
      provider: "telegram:1:photo",
      file_id: "file-1",
    });
  });

  // covers autoposting: Point 41
  it("wanted by many at once, in several processes, is fetched once and uploaded once", async () => {
    const photo = await aPhoto();
    const sources = [harness.process(), harness.process(), harness.process()].map((process) =>
      sourceIn(process),
    );
    const taken = await Promise.all(
      Array.from({ length: 30 }, (_, place) => {
        const source = sources[place % sources.length];
        if (!source) throw new Error("no source");
        return take(source, photo);
      }),
    );
    expect(taken.filter(({ upload }) => upload)).toHaveLength(1);
    expect(taken.filter(({ reference }) => reference === "file-1")).toHaveLength(29);
    expect(origin.asked.get(photo.path)).toBe(1);
    expect(
      await database.sql`select from delivery.media_claims where workspace_id = ${workspace_id}`,
    ).toHaveLength(0);
  });

  it("whose upload failed is uploaded by the next who wants it", async () => {
    const photo = await aPhoto();
    const source = sourceIn(harness.process());
    const failing = source.lend([photo], anOrder(), async () => {
      throw new Error("the provider is away");
    });
    await expect(failing).rejects.toThrow("the provider is away");
    expect((await take(source, photo)).upload).toBeDefined();
  });

  it("held by a process that died is free again when its claim is over", async () => {
    const photo = await aPhoto();
    const dying = sourceIn(harness.process({ leaseSeconds: 3, renewEveryMs: 1_000_000 }));
    const stuck = new Promise<never>(() => {});
    void dying.lend([photo], anOrder(), () => stuck);
    await until("the claim is held", async () => {
      const rows = await database.sql`
        select from delivery.media_claims where workspace_id = ${workspace_id} and purpose <> 'fetch'`;
      return rows.length === 1;
    });
    const patient = sourceIn(harness.process({ patienceMs: 300 }));
    expect(await take(patient, photo)).toMatchObject({
      fault: { category: "TRANSIENT", code: "media_unavailable", place: 0 },
    });
    now = new Date(now.getTime() + 3_001);
    expect((await take(sourceIn(harness.process()), photo)).upload).toBeDefined();
  });

  it("in two albums in opposite order makes nobody wait in a circle", async () => {
    const [one, other] = [await aPhoto(), await aPhoto()];
    const album = async (media: (typeof one)[]) =>
      sourceIn(harness.process()).lend(media, anOrder(), async (files) => {
        for (const [place, file] of files.entries())
          if (file.kind === "upload") await file.uploaded(`${media[place]?.path}`);
        return files.map((file) => (file.kind === "reference" ? file.reference : "uploaded"));
      });
    const results = await Promise.all([album([one, other]), album([other, one]), album([one, other])]);
    const uploads = results
      .flatMap((lent) => (lent.ok ? lent.value : []))
      .filter((word) => word === "uploaded");
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(uploads).toHaveLength(2);
  });

  it("twice in one album is one upload", async () => {
    const photo = await aPhoto();
    const lent = await sourceIn(harness.process()).lend(
      [photo, photo],
      anOrder(),
      async ([one, two]) => one === two,
    );
    expect(lent).toEqual({ ok: true, value: true });
  });

  // covers autoposting: Table: media_blobs
  it("known to one bot or as one kind is uploaded again for another", async () => {
    const photo = await aPhoto();
    const source = sourceIn(harness.process());
    await take(source, photo);
    expect((await take(source, photo, anOrder({ account: "telegram:12" }))).upload).toBeDefined();
    expect((await take(source, { ...photo, kind: "document" })).upload).toBeDefined();
    expect(origin.asked.get(photo.path)).toBe(1);
  });

  // covers autoposting: Table: media_blobs
  it("whose reference has expired, or was refused, is uploaded again from the storage", async () => {
    const photo = await aPhoto();
    const source = sourceIn(harness.process());
    await source.lend([photo], anOrder(), async ([file]) => {
      if (file?.kind === "upload") await file.uploaded("short", 60_000);
    });
    expect(await take(source, photo)).toEqual({ reference: "short" });
    now = new Date(now.getTime() + 60_001);
    expect((await take(source, photo, anOrder(), "second")).upload).toBeDefined();
    expect((await take(source, photo, anOrder({ refused: ["second"] }), "third")).upload).toBeDefined();
    expect(await take(source, photo, anOrder({ refused: ["second"] }))).toEqual({ reference: "third" });
    expect(origin.asked.get(photo.path)).toBe(1);
  });
});

describe("an address", () => {
  it.each([
    ["that is gone fails for good", 404, "PERMANENT", "media_missing_origin"],
    ["that is forbidden fails for good", 403, "PERMANENT", "media_missing_origin"],
    ["whose server is overloaded is tried again", 503, "TRANSIENT", "media_unavailable"],
  ])("%s", async (_, status, category, code) => {
    const url = origin.serve(`/status-${status}`, status);
    expect(await take(sourceIn(harness.process()), { kind: "photo", url })).toEqual({
      fault: { category, code, place: 0, message: expect.stringContaining(String(status)) },
    });
  });

  it("where nobody listens is tried again, one inside our network is never asked", async () => {
    const source = sourceIn(harness.process());
    const closed = await startOriginServer();
    const elsewhere = openMediaHarness(database.sql, {
      folder: tempFolder("media"),
      allowHosts: [closed.host],
      clock,
    });
    await closed.close();
    expect(
      await take(sourceIn(elsewhere.process()), { kind: "photo", url: `${closed.url}/x` }),
    ).toMatchObject({
      fault: { category: "TRANSIENT", code: "media_unavailable" },
    });
    await elsewhere.close();
    expect(await take(source, { kind: "photo", url: "http://127.0.0.1:1/secret" })).toMatchObject({
      fault: { category: "PERMANENT", code: "media_missing_origin" },
    });
  });

  it("that gives more than is fetched is refused, naming the setting", async () => {
    const url = origin.serve("/huge.bin", Buffer.alloc(1_000_001));
    expect(await take(sourceIn(harness.process()), { kind: "document", url })).toMatchObject({
      fault: {
        category: "PERMANENT",
        code: "media_too_large",
        message: expect.stringContaining("MOLVA_MEDIA_MAX_MB"),
      },
    });
  });

  it("that gives a page, or nothing, in place of a picture is refused", async () => {
    const source = sourceIn(harness.process());
    const page = origin.serve("/login", Buffer.from("<!doctype html><title>Вход</title>"), {
      "content-type": "image/png",
    });
    expect(await take(source, { kind: "photo", url: page })).toMatchObject({
      fault: {
        category: "PERMANENT",
        code: "media_wrong_kind",
        message: expect.stringContaining("text/html"),
      },
    });
    const empty = origin.serve("/empty", Buffer.alloc(0));
    expect(await take(source, { kind: "photo", url: empty })).toMatchObject({
      fault: { category: "PERMANENT", message: "is empty" },
    });
  });

  it("that shows another picture tomorrow is looked at again by tomorrow's post, not by a retry of today's", async () => {
    const photo = await aPhoto();
    const today = sourceIn(harness.process());
    await take(today, photo);
    const stored = async () => {
      const [row] =
        await database.sql`select origin_url from delivery.media_origin where workspace_id = ${workspace_id}`;
      return row?.origin_url.replace("storage:", "");
    };
    const before = await stored();

    now = new Date(now.getTime() + 24 * 3_600_000);
    const changed = await picture(50, 50);
    origin.serve(photo.path, changed);
    expect(await take(today, photo)).toEqual({ reference: "file-1" });
    const tomorrow = sourceIn(harness.process());
    expect((await take(tomorrow, photo, anOrder(), "file-2")).upload).toEqual(changed);
    expect(await harness.storage.head(before)).toBeUndefined();
    expect(await harness.storage.head(await stored())).toBeDefined();
    expect(await take(today, photo)).toEqual({ reference: "file-2" });
  });

  it("that shows the same tomorrow is looked at, but not uploaded again", async () => {
    const photo = await aPhoto();
    await take(sourceIn(harness.process()), photo);
    now = new Date(now.getTime() + 24 * 3_600_000);
    expect(await take(sourceIn(harness.process()), photo)).toEqual({ reference: "file-1" });
    expect(origin.asked.get(photo.path)).toBe(2);
  });

  it("that has gone since is no loss while the copy is kept", async () => {
    const photo = await aPhoto();
    await take(sourceIn(harness.process()), photo);
    now = new Date(now.getTime() + 24 * 3_600_000);
    origin.serve(photo.path, 404);
    const source = sourceIn(harness.process());
    expect((await take(source, photo, anOrder({ account: "max:1" }))).upload).toBeDefined();
    expect((await take(source, photo, anOrder({ account: "max:2" }))).upload).toBeDefined();
    expect(origin.asked.get(photo.path)).toBe(2);
  });
});

describe("a stored file", () => {
  const original = async (blob_ref: string, origin_url: string) => {
    await database.sql`
      insert into delivery.media_origin ${database.sql({ workspace_id, blob_ref, origin_url })}`;
    return { kind: "document", blobRef: blob_ref } as const;
  };

  // covers autoposting: Table: media_origin
  it("is uploaded from the storage by its name", async () => {
    const key = `media/${workspace_id}/price`;
    await harness.storage.put(key, Buffer.from("%PDF-1.4"), { contentType: "application/pdf" });
    const document = await original("price.pdf", `storage:${key}`);
    expect(await take(sourceIn(harness.process()), document)).toMatchObject({
      contentType: "application/pdf",
      fileName: "price.pdf",
      upload: Buffer.from("%PDF-1.4"),
    });
  });

  it("that is at another address is fetched from there, once", async () => {
    const url = origin.serve("/bucket/price.pdf", Buffer.from("%PDF-1.4"));
    const document = await original("elsewhere", url);
    expect((await take(sourceIn(harness.process()), document)).upload).toEqual(Buffer.from("%PDF-1.4"));
    await take(sourceIn(harness.process()), document, anOrder({ account: "max:1" }));
    expect(origin.asked.get("/bucket/price.pdf")).toBe(1);
  });

  it("in a storage that fails is a clean failure to be tried again, and leaves nothing claimed", async () => {
    const photo = await aPhoto();
    const full = async () => {
      throw new Error("no space left on device");
    };
    expect(await take(sourceIn(harness.process({}, { put: full })), photo)).toMatchObject({
      fault: {
        category: "TRANSIENT",
        code: "media_unavailable",
        message: expect.stringContaining("no space"),
      },
    });
    expect((await take(sourceIn(harness.process()), photo)).upload).toBeDefined();
    expect(await take(sourceIn(harness.process(), {}), photo, anOrder({ account: "max:1" }))).toMatchObject({
      contentType: "image/png",
    });
  });

  it("that was lost is fetched again where its source is known, and fails for good where it is not", async () => {
    const photo = await aPhoto();
    await take(sourceIn(harness.process()), photo);
    for await (const { key } of harness.storage.list(`media/${workspace_id}/`))
      await harness.storage.delete(key);
    const other = anOrder({ account: "max:1" });
    expect((await take(sourceIn(harness.process()), photo, other)).upload).toBeDefined();
    expect(origin.asked.get(photo.path)).toBe(2);

    const lost = await original("lost", `storage:media/${workspace_id}/lost`);
    expect(await take(sourceIn(harness.process()), lost)).toMatchObject({
      fault: { category: "PERMANENT", code: "media_missing_origin" },
    });
    expect(await take(sourceIn(harness.process()), { kind: "photo", blobRef: "never-seen" })).toMatchObject({
      fault: { category: "PERMANENT", code: "media_missing_origin" },
    });
  });
});

describe("a picture that the provider would not take", () => {
  const made = async (bytes: Uint8Array, settings = {}, order = anOrder()) => {
    const photo = await aPhoto(bytes);
    return take(sourceIn(harness.process(), settings), photo, order);
  };

  it.each([
    ["of another format", () => picture(200, 100, "webp"), { width: 200, height: 100 }],
    ["with sides too long", () => picture(2_000, 500), { width: 1_000, height: 250 }],
  ])("%s is converted", async (_, bytes, size) => {
    const { upload, contentType, fileName } = await made(await bytes());
    expect(contentType).toBe("image/jpeg");
    expect(fileName).toMatch(/\.jpg$/);
    expect(await sharp(upload).metadata()).toMatchObject({ format: "jpeg", ...size });
  });

  it.each([
    ["too wide", () => picture(900, 300), { width: 200, height: 300 }],
    ["too high", () => picture(200, 900), { width: 200, height: 300 }],
    ["too wide and too large", () => picture(3_000, 2_400), { width: 666, height: 1_000 }],
  ])("%s for the wanted proportion is cropped", async (_, bytes, size) => {
    const { upload } = await made(await bytes(), {}, anOrder({ proportion: [2, 3] }));
    expect(await sharp(upload).metadata()).toMatchObject({ format: "jpeg", ...size });
  });

  it("in the wanted proportion, or nearly, stays as it is; so does any where pictures may not be changed", async () => {
    for (const [width, height] of [
      [200, 300],
      [201, 300],
    ] as const) {
      const bytes = await picture(width, height);
      expect((await made(bytes, {}, anOrder({ proportion: [2, 3] }))).upload).toEqual(bytes);
    }
    const wide = await picture(900, 300);
    const kept = await made(wide, { convert_images: false }, anOrder({ proportion: [2, 3] }));
    expect(kept.upload).toEqual(wide);
  });

  it("becomes WebP where the provider prefers it, and keeps what is transparent", async () => {
    const clear = {
      width: 40,
      height: 20,
      channels: 4,
      background: { r: 9, g: 9, b: 9, alpha: 0.5 },
    } as const;
    const png = await sharp({ create: clear }).png().toBuffer();
    const rules = { contentTypes: ["image/webp"], convertsTo: "image/webp" } as const;
    const rulesFor = () => ({ as: "picture", maxBytes: 1_000_000, picture: rules });
    const { upload, contentType, fileName } = await made(png, {}, anOrder({ rulesFor }));
    expect([contentType, fileName]).toEqual(["image/webp", expect.stringMatching(/\.webp$/)]);
    expect(await sharp(upload).metadata()).toMatchObject({ format: "webp", width: 40, hasAlpha: true });
  });

  it("of too many bytes is made smaller until it fits", async () => {
    const noise = Buffer.from(Array.from({ length: 400 * 400 * 3 }, (_, place) => (place * 7919) % 251));
    const large = await sharp(noise, { raw: { width: 400, height: 400, channels: 3 } })
      .png()
      .toBuffer();
    const { upload } = await made(large, {}, anOrder({ maxBytes: 30_000 }));
    expect(upload?.length).toBeLessThanOrEqual(30_000);
  });

  it("is refused where the channel forbids converting, saying what would help", async () => {
    expect(await made(await picture(20, 20, "webp"), { convert_images: false })).toMatchObject({
      fault: {
        category: "PERMANENT",
        code: "media_wrong_kind",
        message: expect.stringContaining("convert_images"),
      },
    });
  });

  it("because it is far too long for its width is refused in any case", async () => {
    expect(await made(await picture(900, 30))).toMatchObject({
      fault: { code: "media_wrong_kind", message: expect.stringContaining("900×30") },
    });
  });

  it("because it is broken is refused in words", async () => {
    const broken = Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), Buffer.alloc(50)]);
    expect(await made(broken)).toMatchObject({
      fault: { code: "media_wrong_kind", message: expect.stringContaining("could not be converted") },
    });
  });
});
