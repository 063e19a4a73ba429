import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askAt } from "./ask.ts";

function terminal({ isTTY }: { isTTY: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk) => {
    shown += String(chunk);
  });
  return { input, ask: askAt(input, output), shown: () => shown };
}

test("a pipe answers line by line, whatever came early, and then no more", async () => {
  const { input, ask, shown } = terminal({ isTTY: false });
  input.end("12345\nсим-сим\n");
  expect(await ask("Code: ")).toBe("12345");
  expect(await ask("Password: ", { secret: true })).toBe("сим-сим");
  expect(await ask("More: ")).toBeUndefined();
  expect(shown()).toBe("");
});

test("a person sees the question and what is typed, but not a secret", async () => {
  const { input, ask, shown } = terminal({ isTTY: true });
  const code = ask("Code: ");
  input.write("12345\n");
  expect(await code).toBe("12345");
  const password = ask("Password: ", { secret: true });
  input.write("hush\n");
  expect(await password).toBe("hush");
  expect(shown()).toContain("Code: ");
  expect(shown()).toContain("12345");
  expect(shown()).toContain("Password: ");
  expect(shown()).not.toContain("hush");
  input.end();
});
