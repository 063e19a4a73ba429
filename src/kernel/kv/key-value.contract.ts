import { beforeEach, describe, expect, it } from "vitest";
import { type KeyValue, NotACounterError } from "./key-value.ts";

/** Tests for every implementation. `kv` is called in each test, after its server has started. */
export function keyValueContract(kv: () => KeyValue): void {
  let key: string;
  let tests = 0;
  beforeEach(() => {
    key = `test:${process.pid}:${tests++}`;
  });

  const isGone = (name: string) => expect.poll(() => kv().get(name), { interval: 10 }).toBeUndefined();

  describe("values", () => {
    it("are found under their key until they are deleted", async () => {
      expect(await kv().get(key)).toBeUndefined();
      await kv().set(key, "значение 🎈");
      expect(await kv().get(key)).toBe("значение 🎈");
      expect(await kv().delete(key)).toBe(true);
      expect(await kv().get(key)).toBeUndefined();
      expect(await kv().delete(key)).toBe(false);
    });

    it("are replaced together with their time to live", async () => {
      await kv().set(key, "short", { ttlMs: 60 });
      await kv().set(key, "long");
      await kv().set(`${key}:control`, "short", { ttlMs: 60 });
      await isGone(`${key}:control`);
      expect(await kv().get(key)).toBe("long");
    });

    it("may be empty", async () => {
      await kv().set(key, "");
      expect(await kv().get(key)).toBe("");
    });

    it("disappear when their time is over, for every way of asking", async () => {
      await kv().set(key, "soon gone", { ttlMs: 40 });
      await isGone(key);
      expect(await kv().expire(key, 1_000)).toBe(false);
      expect(await kv().delete(key)).toBe(false);
      expect(await kv().setIfAbsent(key, "new")).toBe(true);
    });
  });

  describe("set if absent", () => {
    it("lets exactly one of many win", async () => {
      const wins = await Promise.all(
        Array.from({ length: 20 }, (_, index) => kv().setIfAbsent(key, String(index), { ttlMs: 60_000 })),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await kv().get(key)).toBe(String(wins.indexOf(true)));
    });

    it("succeeds again once the mark has expired", async () => {
      expect(await kv().setIfAbsent(key, "first", { ttlMs: 40 })).toBe(true);
      await expect.poll(() => kv().setIfAbsent(key, "second"), { interval: 10 }).toBe(true);
      expect(await kv().get(key)).toBe("second");
    });
  });

  describe("replacing", () => {
    it("takes place only while the value is the one that was read", async () => {
      await kv().set(key, "old");
      expect(await kv().replace(key, "other", "new")).toBe(false);
      expect(await kv().replace(key, "old", "new")).toBe(true);
      expect(await kv().get(key)).toBe("new");
      expect(await kv().replace(`${key}:absent`, "old", "new")).toBe(false);
    });

    it("keeps the time to live", async () => {
      await kv().set(key, "old", { ttlMs: 200 });
      await kv().replace(key, "old", "new");
      await isGone(key);
    });
  });

  it("finds the keys that begin with a text, sign for sign", async () => {
    const names = Array.from({ length: 1_200 }, (_, index) => `${key}*[a]:${index}`);
    await Promise.all([...names, `${key}xa:0`].map((name) => kv().set(name, "1")));
    const found = new Set<string>();
    for await (const some of kv().keysWith(`${key}*[a]:`)) for (const name of some) found.add(name);
    expect([...found].sort()).toEqual(names.sort());
  });

  describe("counters", () => {
    it("lose no step when many count at once", async () => {
      const sums = await Promise.all(Array.from({ length: 50 }, () => kv().increment(key)));
      expect(sums.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    });

    it("move by any whole number, also down, and read back as text", async () => {
      expect(await kv().increment(key, 10)).toBe(10);
      expect(await kv().increment(key, -15)).toBe(-5);
      expect(await kv().get(key)).toBe("-5");
      await expect(kv().increment(key, 0.5)).rejects.toThrow(RangeError);
    });

    it("take their time to live when they are made and are not kept alive by counting", async () => {
      await kv().increment(key, 5, { ttlMs: 150 });
      await expect
        .poll(() => kv().increment(key, 1, { ttlMs: 150 }), { interval: 10, timeout: 3_000 })
        .toBe(1);
    });

    it("refuse a value that is no integer and leave it as it is", async () => {
      await kv().set(key, "text");
      await expect(kv().increment(key)).rejects.toThrow(NotACounterError);
      expect(await kv().get(key)).toBe("text");
    });
  });

  describe("a time to live", () => {
    it("can be given later", async () => {
      await kv().set(key, "value");
      expect(await kv().expire(key, 40)).toBe(true);
      await isGone(key);
      expect(await kv().expire(`${key}:absent`, 40)).toBe(false);
    });

    it.each([0, -1, 1.5, Number.NaN])("is not %d", async (ttlMs) => {
      await expect(kv().set(key, "value", { ttlMs })).rejects.toThrow(RangeError);
      await expect(kv().increment(key, 1, { ttlMs })).rejects.toThrow(RangeError);
      await expect(kv().expire(key, ttlMs)).rejects.toThrow(RangeError);
    });
  });

  it("refuses keys and values that not every server can hold", async () => {
    await expect(kv().set("", "value")).rejects.toThrow(RangeError);
    await expect(kv().set("k".repeat(513), "value")).rejects.toThrow(RangeError);
    await expect(kv().set("a\0b", "value")).rejects.toThrow(RangeError);
    await expect(kv().set(key, "a\0b")).rejects.toThrow(RangeError);
  });
}
