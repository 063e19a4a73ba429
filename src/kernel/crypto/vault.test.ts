import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { createVault, generateKey, randomToken, rowOf, sameSecret, sha256Hex, VaultError } from "./index.ts";

const [oldKey, newKey, strangeKey] = [generateKey(), generateKey(), generateKey()];

const here = rowOf("workspaces.secrets", "workspace", "one");
const elsewhere = rowOf("workspaces.secrets", "workspace", "other");

describe("the vault", () => {
  it("names the key that opens a token, the same in every list, and none for another place or a lost key", () => {
    const [newId, oldId] = createVault([newKey, oldKey]).keyIds;
    expect(createVault([oldKey]).keyIds).toEqual([oldId]);
    expect(newId).toMatch(/^[0-9a-f]{8}$/);
    const token = createVault([oldKey]).encrypt("токен", here);
    const vault = createVault([newKey, oldKey]);
    expect(vault.keyOf(token, here)).toBe(oldId);
    expect(vault.keyOf(vault.rotate(token, here), here)).toBe(newId);
    expect(vault.keyOf(token, elsewhere)).toBeUndefined();
    expect(vault.keyOf("no token", here)).toBeUndefined();
    expect(createVault([newKey]).keyOf(token, here)).toBeUndefined();
  });

  it("opens a token only in the place that it was sealed for", () => {
    const vault = createVault([newKey, oldKey]);
    const token = vault.encrypt("токен", here);
    expect(vault.decrypt(token, here)).toBe("токен");
    expect(caught(() => vault.decrypt(token, elsewhere)).message).toContain("copied from another place");
    expect(rowOf("t", "a", "b,c")).not.toBe(rowOf("t", "a,b", "c"));
  });

  it("gives back any text it was given, and never the same token twice", () => {
    const vault = createVault([newKey]);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const token = vault.encrypt(text, here);
        expect(vault.decrypt(token, here)).toBe(text);
        expect(vault.encrypt(text, here)).not.toBe(token);
      }),
      { numRuns: 50 },
    );
  });

  it("encrypts with the first key and decrypts with every key", () => {
    const sealedBefore = createVault([oldKey]).encrypt("токен", here);
    const both = createVault([newKey, oldKey]);
    expect(both.decrypt(sealedBefore, here)).toBe("токен");
    expect(createVault([newKey]).decrypt(both.encrypt("новый", here), here)).toBe("новый");
  });

  it("signs with the first key, knows the signature of every key, and keeps purposes apart", () => {
    const before = createVault([oldKey]).sign("a_1", "consent");
    const both = createVault([newKey, oldKey]);
    const signed = both.sign("a_1", "consent");
    expect(signed).toMatch(/^[0-9a-f]{64}$/);
    expect([before, signed].map((each) => both.isSigned("a_1", each, "consent"))).toEqual([true, true]);
    expect(createVault([strangeKey]).isSigned("a_1", signed, "consent")).toBe(false);
    expect(both.isSigned("a_2", signed, "consent")).toBe(false);
    expect(both.isSigned("a_1", signed, "something else")).toBe(false);
    expect(both.isSigned("a_1", "", "consent")).toBe(false);
  });

  it("rotates a token to the first key and keeps its time", () => {
    const clock = manualClock();
    const sealedBefore = createVault([oldKey], clock).encrypt("токен", here);
    clock.advance(86_400_000);
    const rotated = createVault([newKey, oldKey], clock).rotate(sealedBefore, here);
    expect(createVault([newKey]).decrypt(rotated, here)).toBe("токен");
    expect(timeOf(rotated)).toBe(timeOf(sealedBefore));
  });

  it("says that no key fits without showing the token or a key", () => {
    const token = createVault([strangeKey]).encrypt("токен", here);
    const error = caught(() => createVault([newKey, oldKey]).decrypt(token, here));
    expect(error.message).toContain("no encryption key opens the stored secret (tried: 2)");
    for (const secret of [token, newKey, oldKey]) expect(error.message).not.toContain(secret);
  });

  it("tells a value that was never encrypted from one with a lost key", () => {
    expect(caught(() => createVault([newKey]).decrypt("plain text", here)).message).toContain(
      "not a Fernet token",
    );
  });

  it.each([
    ["too short", "c2hvcnQ="],
    ["the standard alphabet", `${"+/".repeat(21)}A=`],
    ["empty", ""],
  ])("names the malformed key by its place and does not print it: %s", (_, bad) => {
    const error = caught(() => createVault([newKey, bad]));
    expect(error.message).toContain("encryption key 2 is malformed");
    if (bad) expect(error.message).not.toContain(bad);
  });

  it("refuses to exist without a key", () => {
    expect(() => createVault([])).toThrow(VaultError);
  });
});

describe("digests", () => {
  it("hashes as SHA-256 in hexadecimal", () => {
    expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("makes tokens that fit into a URL and differ", () => {
    expect(randomToken()).toMatch(/^[\w-]{43}$/);
    expect(randomToken()).not.toBe(randomToken());
  });

  it("compares secrets of any length", () => {
    expect(sameSecret("один", "один")).toBe(true);
    expect(sameSecret("один", "два")).toBe(false);
  });
});

function caught(act: () => unknown): VaultError {
  try {
    act();
  } catch (error) {
    if (error instanceof VaultError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function timeOf(token: string): bigint {
  return Buffer.from(token, "base64url").readBigUInt64BE(1);
}
