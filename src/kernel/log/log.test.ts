import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { createLog, redactText } from "./index.ts";

const bot = `1001234:${"Ab3_".repeat(9)}`;

it.each([
  [
    `GET https://api.telegram.org/bot${bot}/getMe failed`,
    "GET https://api.telegram.org/bot[secret]/getMe failed",
  ],
  ["connect postgres://molva:hunter22@db:5432/molva", "connect postgres://[secret]@db:5432/molva"],
  ["Authorization: Bearer abcdef123456", "Authorization: [secret]"],
  ["the bearer abcdef123456 is unknown", "the bearer [secret] is unknown"],
  ["?access_token=abc123&page=2", "?access_token=[secret]&page=2"],
  ['{"api_key": "k3y-of-mine"}', '{"api_key": "[secret]"}'],
  ["key sk-or-v1-0123456789abcdef is not known", "key [secret] is not known"],
  ["eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2ln", "[secret]"],
  [`the run ${"a1B2c3D4".repeat(5)} is gone`, "the run [secret] is gone"],
  [`${"0a".repeat(20)} is no hash here`, "[secret] is no hash here"],
  ["ivan.petrov@example.com and +7 (999) 123-45-67", "[email] and [phone]"],
])("hides what is secret or somebody's: %s", (text, shown) => {
  expect(redactText(text)).toBe(shown);
});

it.each([
  "invalid token: expected a string",
  "delivery 0198c0de-0000-7000-8000-000000000001 of chat -1001234567890 is gone",
  "    at perform (/srv/molva/dist/src/kernel/jobs/create-jobs.js:158:31)",
  'relation "delivery.some_table_with_a_very_long_name_indeed" does not exist',
])("leaves words, ids and places alone: %s", (text) => {
  expect(redactText(text)).toBe(text);
});

it("hides known secrets whatever they look like", () => {
  expect(redactText("no such login: correct horse", ["correct horse"])).toBe("no such login: [secret]");
});

it("shows no secret in an error, its stack, its parts or a reason", () => {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
  const log = createLog({ level: "info", destination, secrets: ["correct horse"] });
  const part = Object.assign(new Error(`the key correct horse is wrong`), { body: `token=${bot}` });
  log.error({ err: new AggregateError([part], `bot${bot} is gone`, { cause: new Error(bot) }) }, "failed");
  log.warn({ error: part, reason: `says ${bot}`, token: bot }, "failed");
  log.warn({ err: "only correct horse" }, "failed");
  expect(lines).toHaveLength(3);
  expect(lines.join("")).not.toMatch(/correct horse|Ab3_/);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    err: {
      type: "AggregateError",
      message: "bot[secret] is gone: [secret]",
      stack: expect.stringContaining("    at "),
    },
  });
});

it("passes on lines of level error and fatal as they are written, and no others", () => {
  const told: string[] = [];
  const written: string[] = [];
  const destination = new Writable({ write: (chunk, _, done) => done(void written.push(String(chunk))) });
  const log = createLog({ level: "trace", destination, onError: (line) => told.push(line) });
  log.warn({ level: "error" }, "no");
  log.child({ bot: "shop" }).error({ password: "s3cret" }, "yes");
  log.fatal("yes");
  expect(written).toHaveLength(3);
  expect(told).toEqual(written.slice(1));
  expect(told.join("")).not.toContain("s3cret");
});
