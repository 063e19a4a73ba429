import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { createStorage, type ObjectStorage, verifySignedKey } from "./index.ts";
import { objectStorageContract } from "./object-storage.contract.ts";

const clock = manualClock(new Date());
const secret = "the signing secret";
const urlBase = "https://molva.test/media";
let folder: string;
let storage: ObjectStorage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "molva-storage-"));
  storage = createStorage({ folder, urlBase, secret, clock });
});
afterAll(() => rm(folder, { recursive: true }));

describe("objects in a folder", () => {
  objectStorageContract(() => storage);

  it("are plain files under their keys, and leave no draft behind", async () => {
    await storage.put("plain/photo.jpg", Buffer.from("jpeg"), { contentType: "image/jpeg" });
    expect(await readFile(join(folder, "plain/photo.jpg"), "utf8")).toBe("jpeg");
    expect(await readdir(join(folder, "+incoming"))).toEqual([]);
  });

  it("are read to the end by who has begun, although they are replaced meanwhile", async () => {
    await storage.put("busy", Buffer.from("old"), { contentType: "text/plain" });
    const object = await storage.get("busy");
    await storage.put("busy", Buffer.from("new and longer"), { contentType: "text/plain" });
    expect(object && (await text(object.body))).toBe("old");
  });

  it("are of unknown type when the note beside them is lost", async () => {
    await writeFile(join(folder, "found.bin"), "x");
    expect(await storage.head("found.bin")).toMatchObject({ contentType: "application/octet-stream" });
  });

  it("cannot be the folder of another key", async () => {
    await storage.put("tree/leaf", Buffer.from("x"), { contentType: "text/plain" });
    const put = (key: string) => storage.put(key, Buffer.from("x"), { contentType: "text/plain" });
    await expect(put("tree")).rejects.toMatchObject({ code: "KeyIsFolder" });
    await expect(put("tree/leaf/below")).rejects.toMatchObject({ code: "KeyIsFolder" });
    expect(await storage.get("tree")).toBeUndefined();
    expect(await storage.get("tree/leaf/below")).toBeUndefined();
    await storage.delete("tree");
    expect(await storage.head("tree/leaf")).toMatchObject({ size: 1 });
  });

  it("are free of drafts that a killed process left more than a day ago", async () => {
    const yesterday = new Date(clock.now().getTime() - 25 * 3_600_000);
    await writeFile(join(folder, "+incoming", "abandoned"), "x");
    await utimes(join(folder, "+incoming", "abandoned"), yesterday, yesterday);
    await writeFile(join(folder, "+incoming", "under-way"), "x");
    const restarted = createStorage({ folder, urlBase, secret, clock });
    await restarted.put("any", Buffer.from("x"), { contentType: "text/plain" });
    expect(await readdir(join(folder, "+incoming"))).toEqual(["under-way"]);
  });
});

describe("a signed address of the folder", () => {
  const signed = async () => {
    const url = new URL(await storage.signedUrl("posts/a.jpg", { expiresInMs: 60_000 }));
    return {
      url,
      expires: url.searchParams.get("expires") ?? "",
      signature: url.searchParams.get("signature") ?? "",
    };
  };

  it("opens its key until it expires", async () => {
    const { url, expires, signature } = await signed();
    expect(url.origin + url.pathname).toBe("https://molva.test/media/posts/a.jpg");
    const given = { key: "posts/a.jpg", expires, signature };
    expect(verifySignedKey(given, secret, clock)).toBe(true);
    clock.advance(60_000);
    expect(verifySignedKey(given, secret, clock)).toBe(false);
  });

  it("opens nothing else", async () => {
    const { expires, signature } = await signed();
    const given = { key: "posts/a.jpg", expires, signature };
    expect(verifySignedKey({ ...given, key: "posts/b.jpg" }, secret, clock)).toBe(false);
    expect(verifySignedKey({ ...given, expires: `${expires}0` }, secret, clock)).toBe(false);
    expect(verifySignedKey({ ...given, expires: "Infinity" }, secret, clock)).toBe(false);
    expect(verifySignedKey({ ...given, signature: "" }, secret, clock)).toBe(false);
    expect(verifySignedKey(given, "another secret", clock)).toBe(false);
  });
});
