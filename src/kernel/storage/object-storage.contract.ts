import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { ObjectStorage } from "./object-storage.ts";

/** Tests for every implementation. `storage` is called in each test, after its server has started. */
export function objectStorageContract(storage: () => ObjectStorage): void {
  const contentType = "text/plain; charset=utf-8";

  describe("an object", () => {
    it("comes back with its bytes, size and type", async () => {
      await storage().put("posts/2026/a.txt", Buffer.from("привет"), { contentType });
      const object = await storage().get("posts/2026/a.txt");
      expect(object).toMatchObject({ key: "posts/2026/a.txt", size: 12, contentType });
      expect(object && (await text(object.body))).toBe("привет");
      expect(await storage().head("posts/2026/a.txt")).toEqual({
        key: "posts/2026/a.txt",
        size: 12,
        contentType,
      });
    });

    it("may be a large stream", async () => {
      const chunks = Array.from({ length: 64 }, () => randomBytes(65_536));
      await storage().put("big.bin", Readable.from(chunks), { contentType: "application/octet-stream" });
      const object = await storage().get("big.bin");
      expect(object?.size).toBe(64 * 65_536);
      expect(object && sha(await buffer(object.body))).toBe(sha(Buffer.concat(chunks)));
    });

    it("may be empty", async () => {
      await storage().put("empty", new Uint8Array(), { contentType });
      const object = await storage().get("empty");
      expect(object?.size).toBe(0);
      expect(object && (await text(object.body))).toBe("");
    });

    it("is replaced as a whole, type included", async () => {
      await storage().put("replaced", Buffer.from("a long first version"), { contentType });
      await storage().put("replaced", Buffer.from("{}"), { contentType: "application/json" });
      const object = await storage().get("replaced");
      expect(object).toMatchObject({ size: 2, contentType: "application/json" });
      object?.body.destroy();
    });

    it("stays as it was when its new content breaks off", async () => {
      await storage().put("kept", Buffer.from("first"), { contentType });
      const broken = Readable.from(
        (async function* () {
          yield Buffer.from("half");
          throw new Error("the source broke off");
        })(),
      );
      await expect(storage().put("kept", broken, { contentType: "text/html" })).rejects.toThrow("broke off");
      const object = await storage().get("kept");
      expect(object?.contentType).toBe(contentType);
      expect(object && (await text(object.body))).toBe("first");
    });

    it("is absent before it was put and after it was deleted, twice if need be", async () => {
      expect(await storage().get("gone")).toBeUndefined();
      expect(await storage().head("gone")).toBeUndefined();
      await storage().put("gone", Buffer.from("x"), { contentType });
      await storage().delete("gone");
      await storage().delete("gone");
      expect(await storage().get("gone")).toBeUndefined();
    });
  });

  it("lists every key that begins with the prefix, and no other", async () => {
    const keys = ["l/1/a", "l/1/b.c", "l/10/d", "l/2/e", "l2/f"];
    for (const key of keys) await storage().put(key, Buffer.from(key), { contentType });
    const listed = async (prefix: string) => {
      const found = [];
      for await (const object of storage().list(prefix)) found.push(object);
      return found.sort((a, b) => (a.key < b.key ? -1 : 1));
    };
    expect(await listed("l/1")).toEqual([
      { key: "l/1/a", size: 5 },
      { key: "l/1/b.c", size: 7 },
      { key: "l/10/d", size: 6 },
    ]);
    expect((await listed("l/1/")).map(({ key }) => key)).toEqual(["l/1/a", "l/1/b.c"]);
    expect((await listed("l")).map(({ key }) => key)).toEqual(keys);
    expect((await listed("")).map(({ key }) => key)).toEqual(expect.arrayContaining(keys));
    expect(await listed("nothing/here")).toEqual([]);
  });

  it.each([
    "",
    "/abs",
    "../up",
    "a/../../b",
    "a//b",
    "a/",
    ".hidden",
    "a/.b",
    "a\\b",
    "a\0b",
    "кот",
    "a+type",
    "a b",
    "k".repeat(201),
    `${"k/".repeat(450)}k`,
  ])("refuses the key %j", async (key) => {
    await expect(async () => storage().put(key, Buffer.from("x"), { contentType })).rejects.toThrow(
      RangeError,
    );
    await expect(async () => storage().get(key)).rejects.toThrow(RangeError);
    await expect(async () => storage().head(key)).rejects.toThrow(RangeError);
    await expect(async () => storage().delete(key)).rejects.toThrow(RangeError);
    await expect(async () => storage().signedUrl(key, { expiresInMs: 60_000 })).rejects.toThrow(RangeError);
  });

  it.each(["../", "/", "a/../", "+incoming"])("refuses the prefix %j", async (prefix) => {
    await expect(async () => {
      for await (const _ of storage().list(prefix));
    }).rejects.toThrow(RangeError);
  });

  it.each([0, 999, -1, Number.NaN, 8 * 24 * 3_600_000])(
    "signs no address that lives %d ms",
    async (expiresInMs) => {
      await expect(storage().signedUrl("a", { expiresInMs })).rejects.toThrow(RangeError);
    },
  );
}

function sha(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
