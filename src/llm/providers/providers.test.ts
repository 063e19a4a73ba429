import { describe, expect, it } from "vitest";
import { z } from "zod";
import { afterFailure, patience } from "../calls/after-failure.ts";
import { jsonIn, judgeObject } from "../calls/judge-answer.ts";
import { failureRules } from "../failures.ts";
import { retryAfterMs } from "./classify.ts";
import { withoutSecrets } from "./without-secrets.ts";

const now = new Date("2026-11-15T12:00:00Z");
const calm = { again: 0, committed: false, random: 0 };

describe("Retry-After", () => {
  it.each([
    [undefined, "7", 7_000],
    [undefined, "0.5", 500],
    ["120", "9", 120],
    [undefined, "Sun, 15 Nov 2026 12:00:30 GMT", 30_000],
    [undefined, "Sun, 15 Nov 2026 11:00:00 GMT", 0],
    [undefined, "soon", undefined],
    [undefined, undefined, undefined],
  ])("of %s and %s means %s ms", (milliseconds, given, expected) => {
    expect(retryAfterMs(milliseconds, given, now)).toBe(expected);
  });
});

describe("after a failure", () => {
  // covers llm: Retries by error class, Retry-After
  it("a wait is never shorter than the provider asked, nor longer than our patience", () => {
    for (const retryAfter of [0, 400, 700, 5_000, 10_000, 10_001, 600_000]) {
      const decision = afterFailure({ class: "rate_limited", message: "", retryAfterMs: retryAfter }, calm);
      if (retryAfter > patience.longestWaitMs) expect(decision).toEqual({ kind: "next" });
      else expect(decision).toMatchObject({ kind: "again", waitMs: Math.max(500, retryAfter) });
    }
  });

  it("every class ends: no model is asked for ever", () => {
    for (const name of Object.keys(failureRules) as (keyof typeof failureRules)[])
      expect(afterFailure({ class: name, message: "" }, { ...calm, again: 5 }).kind).not.toBe("again");
  });

  it("nothing follows words that the caller has already", () => {
    expect(afterFailure({ class: "server", message: "" }, { ...calm, committed: true })).toEqual({
      kind: "stop",
    });
  });
});

describe("JSON in an answer", () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['Вот:\n```json\n{"a":1}\n```', { a: 1 }],
    ['Ответ {"a":[1,2,],} готов', { a: [1, 2] }],
    ['{"a":', undefined],
    ["просто слова", undefined],
    ["", undefined],
    ["42", undefined],
  ])("of %j is %j", (text, value) => {
    expect(jsonIn(text)).toEqual(value);
  });

  it("of another shape is told field by field", () => {
    const schema = z.object({ a: z.number(), b: z.string() });
    const said = {
      kind: "said",
      text: '{"a":"x"}',
      refusal: "",
      truncated: false,
      pictures: [],
      model: "m",
      usage: undefined,
    } as const;
    expect(judgeObject(said, schema)).toMatchObject({
      ok: false,
      failure: { class: "invalid_answer" },
      errors: expect.stringMatching(/^a: .+\nb: /),
    });
  });
});

describe("a provider's words", () => {
  it("are kept short and without keys", () => {
    const key = "secret-of-another-shape";
    const text = withoutSecrets(`no ${key}\0 sk-or-v1-abcdefgh123 Bearer xyz ${"слово ".repeat(100)}`, [
      key,
      undefined,
    ]);
    expect(text).toMatch(/^no \[key\]\s+\[key\] Bearer \[key\] слово/);
    expect(text.length).toBeLessThanOrEqual(200);
  });
});
