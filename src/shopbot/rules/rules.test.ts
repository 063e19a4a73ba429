import { describe, expect, it } from "vitest";
import { createPlatforms } from "../../platforms/index.ts";
import { createReplyCompiler } from "../work/compile-reply.ts";
import { botOfFile } from "./bot-of-file.ts";
import { parsedFile, testFile } from "./check-file.ts";
import { diffFiles, isSame } from "./diff-files.ts";
import { withoutRule, withRule } from "./edit-rule-file.ts";
import { fileErrorText, readFile } from "./read-rule-file.ts";
import { compare } from "./replay-messages.ts";

const compile = createReplyCompiler(
  createPlatforms({ TELEGRAM_API_ROOT: "http://127.0.0.1:1", MAX_API_ROOT: "http://127.0.0.1:1" }),
);

function faults(text: string): string[] {
  const read = readFile(text);
  return read.ok ? [] : read.errors.map(fileErrorText);
}

const aFile = (rules: string, more = "") => `bot: { title: Магазин }\nrules:\n${rules}\n${more}`;

describe("a file that cannot come into force is refused with the place named", () => {
  it.each([
    ["broken YAML", "bot: [", /^line 1: /],
    ["no rules", "bot: { title: Магазин }", /rules: /],
    [
      "an unknown field",
      aFile("  - { id: a, keywords: [а], answer: б, regexp: в }"),
      /^line 3: rules\/0: .*regexp/,
    ],
    [
      "an empty keyword",
      aFile('  - { id: a, keywords: ["  "], answer: б }'),
      /^line 3: rules\/0\/keywords\/0: Something must be written/,
    ],
    ["an empty answer", aFile('  - { id: a, keywords: [а], answer: "" }'), /^line 3: rules\/0\/answer: /],
    [
      "a broken template",
      aFile("  - id: a\n    keywords: [а]\n    answer: Привет, {{ name"),
      /^line 5: rules\/0\/answer: The template cannot be read: line 1, column 9/,
    ],
    [
      "an unknown filter",
      aFile("  - { id: a, keywords: [а], answer: '{{ x | shout }}' }"),
      /rules\/0\/answer: The template cannot be read: .*shout/,
    ],
    [
      "a tag that reads files",
      aFile("  - { id: a, keywords: [а], answer: '{% include \"x\" %}' }"),
      /rules\/0\/answer: The template cannot be read: .*include/,
    ],
    [
      "two rules of one name",
      aFile("  - { id: a, keywords: [а], answer: б }\n  - { id: a, keywords: [в], answer: г }"),
      /^line 4: rules\/1\/id: Another rule is called a/,
    ],
    [
      "a state without rules",
      aFile("  - { id: a, keywords: [а], answer: б, next_state: nowhere }"),
      /^line 3: rules\/0\/next_state: No rule has the state nowhere/,
    ],
    [
      "a button to nowhere",
      aFile("  - { id: a, keywords: [а], answer: б, buttons: [[{ text: в, press: gone }]] }"),
      /rules\/0\/buttons\/0\/0\/press: There is no rule gone/,
    ],
    [
      "a button to a dangerous address",
      aFile("  - { id: a, keywords: [а], answer: б, buttons: [[{ text: в, url: 'javascript:alert(1)' }]] }"),
      /rules\/0\/buttons\/0\/0/,
    ],
    [
      "something kept that was not asked for",
      aFile("  - { id: a, keywords: [а], answer: б, save_as: x }"),
      /rules\/0\/save_as: /,
    ],
    [
      "a question outside a state",
      aFile("  - { id: a, keywords: [а], answer: б, accepts: text }"),
      /rules\/0\/accepts: /,
    ],
    [
      "an alias bomb",
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nbot: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\nrules: [*c,*c]`,
      /./,
    ],
    ["a megabyte and more", `bot: { title: "${"а".repeat(1_100_000)}" }`, /longer than/],
  ])("%s", (_name, text, expected) => {
    expect(faults(text).join("\n")).toMatch(expected);
  });

  it("every error is named, not only the first", () => {
    const text = aFile('  - { id: a, keywords: [""], answer: б }\n  - { id: b, keywords: [а], answer: "" }');
    expect(faults(text)).toHaveLength(2);
  });
});

describe("examples", () => {
  const rules = "  - { id: tea, keywords: [чай], answer: Чай есть }";
  const play = (lines: string) =>
    testFile(aFile(rules, `dialogues:\n  - name: пример\n    lines:\n${lines}`), compile).faults;

  it("go as written when the answer holds the words, whatever their case and ё", () => {
    expect(play("      - customer: ЧАЙ?\n      - bot: чай есть")).toEqual([]);
  });

  it.each([
    [
      "another answer",
      "      - customer: чай\n      - bot: Чая нет",
      2,
      "expected “Чая нет”, but tea says: Чай есть",
    ],
    [
      "another rule",
      "      - customer: чай\n      - bot: Чай\n        rule: coffee",
      2,
      "expected the rule coffee, but tea speaks",
    ],
    [
      "a button that is not there",
      "      - customer: чай\n      - bot: Чай\n      - press: Ещё",
      3,
      "there is no button “Ещё”",
    ],
    ["silence where words come", "      - customer: чай\n      - silence: true", 2, "the bot says: Чай есть"],
    [
      "two answers to one message",
      "      - customer: чай\n      - bot: Чай\n      - bot: Чай",
      3,
      "nobody has written",
    ],
  ])("with %s are named with the line", (_name, lines, line, message) => {
    expect(play(lines)).toEqual([{ dialogue: "пример", line, message: expect.stringContaining(message) }]);
  });
});

describe("coverage names", () => {
  const coverage = (rules: string) => testFile(aFile(rules), compile).coverage;

  // covers shopbot: Rules as tested text
  it("rules that nothing can reach", () => {
    const { unreachable } = coverage(
      [
        "  - { id: mute, answer: а }",
        "  - { id: lost, state: nowhere_led, answer: б }",
        "  - { id: early, keywords: [чай], priority: 1, answer: в }",
        "  - { id: late, keywords: [чайник], answer: г }",
      ].join("\n"),
    );
    expect(unreachable).toEqual([
      { rule: "late", why: "early answers before it" },
      { rule: "lost", why: "no rule leads to the state nowhere_led" },
      { rule: "mute", why: "it has no keywords and no button leads to it" },
    ]);
  });

  // covers shopbot: Rules as tested text
  it("keywords that another rule always answers first", () => {
    const { shadowed } = coverage(
      "  - { id: early, keywords: [Счёт], priority: 1, answer: а }\n  - { id: late, keywords: [счета, оплата], answer: б }",
    );
    expect(shadowed).toEqual([{ rule: "late", keyword: "счета", by: "early" }]);
  });

  // covers shopbot: Rules as tested text
  it("states without a way out, and takes a rule that interrupts for one", () => {
    const trap =
      "  - { id: in, keywords: [вход], next_state: trap, answer: а }\n  - { id: stay, state: trap, answer: б }";
    expect(coverage(trap).withoutExit).toEqual(["trap"]);
    const exit = `${trap}\n  - { id: out, keywords: [выход], interrupts: true, next_state: default, answer: в }`;
    expect(coverage(exit).withoutExit).toEqual([]);
  });

  it("rules that no example shows", () => {
    expect(coverage("  - { id: tea, keywords: [чай], answer: Чай }")).toMatchObject({
      notPlayed: ["tea"],
      played: 0,
      rules: 1,
    });
  });
});

describe("a change of one rule", () => {
  const text = `# Мой бот\nbot: { title: Магазин }\nrules:\n  - id: tea # про чай\n    keywords: [чай]\n    answer: &words Чай есть\n  - id: copy\n    keywords: [копия]\n    answer: *words\n`;

  it("leaves the rest of the file as its owner wrote it", () => {
    const changed = withRule(text, { id: "copy", keywords: ["копия"], answer: "Кофе" });
    expect(changed).toContain("# Мой бот");
    expect(changed).toContain("# про чай");
    expect(parsedFile(changed).rules.map(({ id, answer }) => [id, answer])).toEqual([
      ["tea", "Чай есть"],
      ["copy", "Кофе"],
    ]);
  });

  it("adds one that is new, and takes one away that others refer to without losing their words", () => {
    expect(parsedFile(withRule(text, { id: "new", keywords: ["н"], answer: "Новое" })).rules).toHaveLength(3);
    const without = withoutRule(text, "tea") ?? "";
    expect(parsedFile(without).rules.map(({ id, answer }) => [id, answer])).toEqual([["copy", "Чай есть"]]);
    expect(withoutRule(text, "gone")).toBeUndefined();
  });
});

it("a difference names what was added, removed and changed, field by field", () => {
  const from = parsedFile(
    aFile("  - { id: a, keywords: [а], answer: б }\n  - { id: b, keywords: [в], answer: г }"),
  );
  const to = parsedFile(
    "bot: { title: Лавка }\nrules:\n  - { id: a, keywords: [а], answer: д }\n  - { id: c, keywords: [е], answer: ж }",
  );
  expect(diffFiles(from, to)).toEqual({
    added: ["c"],
    removed: ["b"],
    changed: [{ rule: "a", fields: { response_template: { from: "б", to: "д" } } }],
    settings: { title: { from: "Магазин", to: "Лавка" } },
  });
  expect(isSame(diffFiles(from, from))).toBe(true);
});

it("a replay tells which past messages would be answered differently, and which would find or lose a rule", () => {
  const current = botOfFile(parsedFile(aFile("  - { id: tea, keywords: [чай], answer: Чай }")));
  const next = botOfFile(parsedFile(aFile("  - { id: coffee, keywords: [кофе], answer: Кофе }")));
  const at = new Date("2026-11-15T12:00:00Z");
  const said = (text: string) => ({
    chatId: "1",
    at,
    message: { kind: "message" as const, text, attachments: [], sender: {} },
  });
  const report = compare([said("чай"), said("кофе"), said("🌼")], current, next);
  expect(report).toMatchObject({ messages: 3, chats: 1, changed: 2, gained: 1, lost: 1 });
  expect(report.changes.map(({ text, before, after }) => [text, before.rule, after.rule])).toEqual([
    ["чай", "tea", null],
    ["кофе", null, "coffee"],
  ]);
});
