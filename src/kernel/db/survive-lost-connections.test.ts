import { expect, it } from "vitest";
import { isLateWrite, isLostConnection } from "./survive-lost-connections.ts";

const failure = (code: string) => Object.assign(new Error(code), { code });

it.each(["CONNECTION_CLOSED", "CONNECT_TIMEOUT", "ECONNRESET", "57P01", "57P03", "08006", "57014"])(
  "%s is a lost connection",
  (code) => {
    expect(isLostConnection(failure(code))).toBe(true);
  },
);

it.each([failure("23505"), failure("ENOENT"), new Error("a bug"), "57P01", undefined])(
  "%s ends the process, as everything does that nobody caught",
  (error) => {
    expect(isLostConnection(error)).toBe(false);
  },
);

it("knows the driver's write to a connection that is gone, and nothing else", () => {
  const late = new TypeError("Cannot read properties of null (reading 'write')");
  late.stack = `${late}\n    at Immediate.nextWrite (file:///app/node_modules/postgres/src/connection.js:255:22)`;
  expect(isLateWrite(late)).toBe(true);
  expect(isLateWrite(new TypeError("Cannot read properties of null (reading 'write')"))).toBe(false);
  expect(isLateWrite(new Error("anything"))).toBe(false);
});
