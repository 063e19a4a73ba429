import { describe, expect, it } from "vitest";
import { createLog, redactText } from "../log/index.ts";
import { askedPause } from "./asked-pause.ts";
import { eventOf, type Facts } from "./event.ts";
import { framesOf } from "./frames.ts";
import { ownWords } from "./own-words.ts";

const facts: Facts = {
  ...{ release: "molva@1.0.0", version: "1.0.0", environment: "production", role: "api,jobs" },
  ...{ root: process.cwd(), hide: (text) => redactText(text) },
};

/** The event of the last line that `write` logs. */
function reported(write: (log: ReturnType<typeof createLog>) => void) {
  let line = "";
  const destination = {
    write(text: string) {
      line = text;
    },
  };
  write(createLog({ level: "info", destination }));
  return eventOf(line, facts, () => "0".repeat(32));
}

describe("the event of a line", () => {
  it("says what happened, where, in which part, and nothing about the machine", () => {
    const event = reported((log) =>
      log
        .child({ bot: "shop", workspace_id: "w1", chat_id: 77 })
        .error(
          { err: new TypeError("no such thing"), update: { text: "Привет" } },
          "an update could not be worked on",
        ),
    );
    expect(event).toMatchObject({
      ...{ platform: "node", level: "error", logger: "molva.bots", release: "molva@1.0.0" },
      environment: "production",
      logentry: { formatted: "an update could not be worked on" },
      tags: { role: "api,jobs", bot: "shop", workspace_id: "w1" },
      exception: { values: [{ type: "TypeError", value: "no such thing", mechanism: { handled: true } }] },
    });
    const frame = event?.exception.values[0].stacktrace?.frames.at(-1);
    expect(frame).toMatchObject({
      in_app: true,
      filename: expect.stringMatching(/^app:\/\/\/src\/kernel\/sentry\//),
    });
    expect(JSON.stringify(event)).not.toMatch(/Привет|77|server_name/);
    expect(JSON.stringify(event)).not.toContain(process.cwd());
  });

  it("names the route of a request by its pattern", () => {
    const fields = { err: new Error("x"), method: "GET", route: "/api/v1/things/:id" };
    const event = reported((log) => log.child({ request_id: "r1" }).error(fields, "a request failed"));
    expect(event).toMatchObject({ transaction: "GET /api/v1/things/:id", logger: "molva.http" });
  });

  it("takes whatever was thrown, and nothing from a line without an error", () => {
    expect(reported((log) => log.fatal({ err: "just a word" }, "x"))).toMatchObject({
      level: "fatal",
      exception: { values: [{ type: "Error", value: "just a word", mechanism: { handled: false } }] },
    });
    expect(reported((log) => log.error({ count: 3 }, "payments differ"))).toBeUndefined();
  });
});

it.each([
  [
    "Unexpected token 'П', \"Привет, мне\"... is not valid JSON",
    "Unexpected token '[text]', \"[text]\"... is not valid JSON",
  ],
  ['column "workspace_id" does not exist', 'column "workspace_id" does not exist'],
  ['invalid input syntax for type uuid: "call me at noon"', 'invalid input syntax for type uuid: "[text]"'],
  ["the site says: Извините, вам нельзя", "the site says: [text]"],
  ["https://shop.example/page?q=flowers failed", "https://shop.example/page?… failed"],
  ["it couldn't, and it won't", "it couldn't, and it won't"],
])("keeps only a programmer's words: %s", (message, words) => {
  expect(ownWords(message)).toBe(words);
});

it("reads the forms of V8's stack, the oldest call first", () => {
  const stack = [
    "Error: at first sight (not a frame:1:2)",
    "    at inner (/srv/molva/dist/src/a.js:1:2)",
    "    at async Promise.all (index 0)",
    "    at async Object.<anonymous> (file:///srv/molva/node_modules/pg/lib/b.js:3:4)",
    "    at file:///srv/molva/dist/src/c.js:5:6",
    "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
    "caused by: Error: other",
    "    at hidden (/srv/molva/dist/src/d.js:7:8)",
  ].join("\n");
  expect(framesOf(stack, "/srv/molva", 50)).toEqual([
    {
      filename: "node:internal/process/task_queues",
      ...{ function: "process.processTicksAndRejections", lineno: 95, colno: 5, in_app: false },
    },
    { filename: "app:///dist/src/c.js", lineno: 5, colno: 6, in_app: true },
    {
      filename: "app:///node_modules/pg/lib/b.js",
      ...{ function: "Object.<anonymous>", lineno: 3, colno: 4, in_app: false },
    },
    { filename: "app:///dist/src/a.js", function: "inner", lineno: 1, colno: 2, in_app: true },
  ]);
});

it("shows no folder of the machine, on Windows either", () => {
  const stack = String.raw`Error: x
    at ours (C:\molva\dist\src\a.js:1:2)
    at packed (D:\apps\node_modules\pg\b.js:3:4)
    at theirs (C:\Users\ivan\secret\c.js:5:6)`;
  expect(framesOf(stack, "C:\\molva", 50).map(({ filename }) => filename)).toEqual([
    "c.js",
    "app:///node_modules/pg/b.js",
    "app:///dist/src/a.js",
  ]);
});

it.each<[number, Record<string, string>, number | undefined]>([
  [200, {}, undefined],
  [200, { "x-sentry-rate-limits": "60:transaction:key" }, undefined],
  [200, { "x-sentry-rate-limits": "10:transaction:key, 60:default;error:organization:quota" }, 60_000],
  [429, { "x-sentry-rate-limits": "30::organization", "retry-after": "90" }, 30_000],
  [429, { "x-sentry-rate-limits": "soon:error:key" }, 60_000],
  [429, { "retry-after": "5" }, 5_000],
  [429, { "retry-after": "Thu, 01 Jan 1970 00:00:07 GMT" }, 7_000],
  [429, {}, 60_000],
])("waits as Sentry asks: %i %j", (status, headers, pause) => {
  expect(askedPause({ status, headers }, 0)).toBe(pause);
});
