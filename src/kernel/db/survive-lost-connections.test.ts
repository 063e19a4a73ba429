import { expect, it } from "vitest";
import { isLostConnection } from "./survive-lost-connections.ts";

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
