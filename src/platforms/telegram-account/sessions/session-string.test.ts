import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  gramjsString,
  mtcuteString,
  pyrogramString,
  telethonString,
} from "../../../../tests/support/session-strings.ts";
import { readSessionString } from "./session-string.ts";

const key = randomBytes(256);
const centre = { id: 2, ipAddress: "149.154.167.51", port: 443, testMode: false };

test.each([
  ["mtcute", mtcuteString(key, 700_100n), { userId: "700100", isBot: false }],
  ["mtcute", mtcuteString(key), {}],
  ["telethon", telethonString(key), {}],
  ["gramjs", gramjsString(key), {}],
  ["pyrogram", pyrogramString(key, 5_000_000_000n), { userId: "5000000000", isBot: false }],
  ["pyrogram", pyrogramString(key, 5_000_000_000n, "old64"), { userId: "5000000000" }],
  ["pyrogram", pyrogramString(key, 700_100n, "old32"), { userId: "700100" }],
] as const)("a session of %s gives its key and its data centre", (format, text, more) => {
  const read = readSessionString(` ${text}\n`);
  expect(read).toMatchObject({ format, centre, ...more });
  expect(Buffer.from(read?.authKey ?? []).equals(key)).toBe(true);
});

test("the address in a session is not believed, only the number of its data centre", () => {
  const inside = Buffer.from([127, 0, 0, 1]);
  const overIpv6 = Buffer.from("20010b28f23df001000000000000000a", "hex");
  for (const address of [inside, overIpv6])
    expect(readSessionString(telethonString(key, address, 6379))?.centre).toEqual(centre);
  expect(readSessionString(telethonString(key, Buffer.from([149, 154, 167, 40])))?.centre).toMatchObject({
    ipAddress: "149.154.167.40",
    testMode: true,
  });
});

test("mtcute itself reads what is read here", async () => {
  const { readStringSession } = await import("@mtcute/core/utils.js");
  const own = readStringSession(mtcuteString(key, 700_100n));
  expect(own).toMatchObject({ primaryDcs: { main: { id: 2, ipAddress: centre.ipAddress, port: 443 } } });
  expect(Buffer.from(own.authKey).equals(key)).toBe(true);
});

test("what is cut, mistyped or blank is no session", () => {
  for (const text of [mtcuteString(key), telethonString(key), gramjsString(key), pyrogramString(key, 1n)]) {
    expect(readSessionString(text.slice(0, -9))).toBeUndefined();
    expect(readSessionString(`${text}abcd`)).toBeUndefined();
    expect(readSessionString(text.replace(/^./, "*"))).toBeUndefined();
  }
  expect(readSessionString(telethonString(Buffer.alloc(256)))).toBeUndefined();
  expect(readSessionString("")).toBeUndefined();
});

test("nothing that people may paste is more than refused", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String({ maxLength: 500 })), (text) => {
      readSessionString(text);
    }),
  );
});
