import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginning, type Situation } from "../model/context.ts";
import type { Message } from "../model/message.ts";
import type { Rule } from "../model/rule.ts";
import { settingsOf } from "../model/settings.ts";
import { accept } from "./accept-answer.ts";
import { answerMessage, backPress, type Step } from "./answer-message.ts";
import type { Bot } from "./bot.ts";
import { endure, type Patience } from "./flood-limit.ts";
import { contains } from "./keywords.ts";
import { inOrder } from "./match-rule.ts";

const now = new Date("2026-11-15T12:00:00Z");

function aRule(given: Partial<Rule> & { id: string }): Rule {
  return {
    version: 1,
    intent: given.id,
    keywords: [],
    priority: 100,
    maxTurns: 5,
    answer: `ответ ${given.id}`,
    nextState: null,
    state: null,
    event: null,
    interrupts: false,
    accepts: null,
    saveAs: null,
    refusal: null,
    action: null,
    buttons: [],
    media: [],
    createdAt: now,
    ...given,
  };
}

function aBot(
  rules: readonly Rule[],
  given: Partial<Omit<Bot, "settings">> & { settings?: object } = {},
): Bot {
  const { settings = {}, ...rest } = given;
  return {
    enabled: true,
    operatorsChatId: null,
    rules: inOrder(rules),
    ...rest,
    settings: settingsOf({ title: "Магазин", ...settings }),
  };
}

const words = (text: string): Message => ({ kind: "message", text, attachments: [], sender: {} });
const press = (payload: string): Message => ({
  kind: "press",
  text: "",
  press: payload,
  attachments: [],
  sender: {},
});

function ask(bot: Bot, message: Message, before: Situation = beginning, at = now): Step {
  return answerMessage({ bot, before, message, now: at });
}

describe("keywords", () => {
  // covers shopbot: Rules match by contains, in any case
  it.each([
    ["ДОСТАВКА завтра?", "доставк", true],
    ["Счёт, пожалуйста", "счет", true],
    ["счет", "СЧЁТ", true],
    ["скидка 100% есть?", "100%", true],
    ["скидка 1000", "100%", false],
    ["a_b", "a_b", true],
    ["axb", "a_b", false],
    ["где   мой\nзаказ", "мой заказ", true],
    ["", "", false],
    ["   ", " ", false],
    ["🌼", "доставк", false],
  ])("%j and %j: %s", (text, keyword, expected) => {
    expect(contains(text, [keyword]) !== undefined).toBe(expected);
  });

  // covers shopbot: Rules match by contains, in any case
  it("are found anywhere in the text, whatever surrounds them, and every character is literal", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, keyword, after) => {
        fc.pre(/[\p{L}\p{N}]/u.test(keyword) && keyword.normalize("NFKC") === keyword);
        fc.pre(!/\s/.test(keyword) && !/\p{M}/u.test(after));
        expect(contains(`${before} ${keyword} ${after}`, [keyword])).toBe(keyword);
      }),
    );
  });
});

describe("the order of rules", () => {
  // covers shopbot: Rules match by contains, in any case
  it("the lowest priority speaks first, then the newest", () => {
    const old = aRule({ id: "old", keywords: ["чай"], createdAt: new Date(0) });
    const fresh = aRule({ id: "fresh", keywords: ["чай"] });
    const first = aRule({ id: "first", keywords: ["чай"], priority: 50, createdAt: new Date(0) });
    expect(ask(aBot([old, fresh]), words("чай")).rule?.id).toBe("fresh");
    expect(ask(aBot([old, fresh, first]), words("чай")).rule?.id).toBe("first");
  });

  it("a state's rules speak before the FAQ, except where a rule interrupts", () => {
    const bot = aBot([
      aRule({ id: "faq", keywords: ["чай"], priority: 1 }),
      aRule({ id: "step", state: "order" }),
      aRule({ id: "operator", keywords: ["оператор"], interrupts: true, priority: 500 }),
    ]);
    const inOrderState = { ...beginning, state: "order" };
    expect(ask(bot, words("чай"), inOrderState).rule?.id).toBe("step");
    expect(ask(bot, words("чай и оператор"), inOrderState).rule?.id).toBe("operator");
    expect(ask(bot, words("чай")).rule?.id).toBe("faq");
  });

  it("empty words match nothing", () => {
    expect(ask(aBot([aRule({ id: "faq", keywords: ["а"] })]), words("")).outcome).toBe("fallback");
  });
});

describe("a state", () => {
  const bot = aBot([
    aRule({ id: "begin", keywords: ["начать"], nextState: "ask" }),
    aRule({
      id: "asked",
      state: "ask",
      accepts: "text",
      saveAs: "name",
      answer: "Привет, {{ name }}",
      nextState: "default",
    }),
    aRule({ id: "stay", keywords: ["просто"] }),
  ]);

  // covers shopbot: A matched rule renders its template and moves the state
  it("is entered by next_state, remembered for its time, and left with what was said", () => {
    const entered = ask(bot, words("начать"));
    expect(entered.after).toMatchObject({ state: "ask", context: { turns: 1 } });
    expect(entered.after.expiresAt).toEqual(new Date(now.getTime() + 30 * 60_000));
    const left = ask(bot, words("Анна"), entered.after);
    expect(left.reply?.text).toBe("Привет, Анна");
    expect(left.after).toEqual({ ...beginning, expiresAt: null });
  });

  // covers shopbot: A matched rule renders its template and moves the state
  it("stays as it is where a rule names no next one", () => {
    expect(ask(bot, words("просто")).after.state).toBe("default");
  });

  // covers shopbot: State timeout
  it("is forgotten exactly when its time is over", () => {
    const entered = ask(bot, words("начать"));
    const end = entered.after.expiresAt ?? now;
    expect(ask(bot, words("Анна"), entered.after, new Date(end.getTime() - 1)).rule?.id).toBe("asked");
    const late = ask(bot, words("Анна"), entered.after, end);
    expect(late).toMatchObject({ stateBefore: "default", outcome: "fallback" });
    expect(late.reply?.text).toContain("начнём сначала");
  });

  // covers shopbot: Turn guard
  it("is left for a person when the turns are used up, whatever is said; who asks for the way out gets it", () => {
    const full = { state: "ask", context: { turns: 4, misses: 0, answers: {} }, expiresAt: null };
    expect(ask(bot, words("Анна"), full)).toMatchObject({ outcome: "escalated", after: beginning });
    const withExit = aBot([
      ...bot.rules,
      aRule({ id: "cancel", keywords: ["отмена"], interrupts: true, nextState: "default" }),
    ]);
    expect(ask(withExit, words("отмена"), full)).toMatchObject({
      outcome: "answered",
      rule: { id: "cancel" },
    });
  });

  it("starts over when the bot is started again", () => {
    const entered = ask(bot, words("начать"));
    expect(ask(bot, { ...words(""), kind: "start" }, entered.after).after.state).toBe("default");
  });
});

describe("what the customer says is text and never a template or markup", () => {
  it("whatever it is", () => {
    const bot = aBot(
      [
        aRule({
          id: "echo",
          state: "ask",
          accepts: "text",
          saveAs: "name",
          answer: "[{{ name }}]",
          nextState: "default",
        }),
      ],
      { settings: { parse_mode: "None" } },
    );
    fc.assert(
      fc.property(fc.string({ minLength: 2, maxLength: 200 }), (said) => {
        fc.pre(
          /[\p{L}\p{N}]/u.test(said) && said.trim().length >= 2 && !/[\r\t\f\v\u2028\u2029]|\n{2}/.test(said),
        );
        const step = ask(bot, words(said), { ...beginning, state: "ask" });
        expect(step.reply?.text.replace(/\s+/g, "")).toBe(`[${said.trim()}]`.replace(/\s+/g, ""));
      }),
    );
    expect(ask(bot, words("{{ 1 | plus: 1 }}"), { ...beginning, state: "ask" }).reply?.text).toBe(
      "[{{ 1 | plus: 1 }}]",
    );
  });
});

describe("a template that fails", () => {
  // covers shopbot: A matched rule renders its template and moves the state
  it("leaves the customer with the fallback and the log with the error", () => {
    const bot = aBot([
      aRule({ id: "loop", keywords: ["цикл"], answer: "{% for i in (1..9999999) %}{{ i }}{% endfor %}" }),
    ]);
    const step = ask(bot, words("цикл"));
    expect(step.reply?.text).toContain("Уточните");
    expect(step.error).toContain("too much");
  });
});

describe("buttons", () => {
  const bot = aBot([
    aRule({ id: "menu", answer: "меню" }),
    aRule({ id: "step", state: "ask", answer: "шаг" }),
  ]);

  it.each([
    ["a rule", "rule:menu", "answered", "Минутку…"],
    ["a rule of another state", "rule:step", "fallback", "Эта кнопка больше не действует"],
    ["a rule that is gone", "rule:gone", "fallback", "Эта кнопка больше не действует"],
    ["nothing we know", "💥".repeat(300), "fallback", "Эта кнопка больше не действует"],
    ["nothing at all", "", "fallback", "Эта кнопка больше не действует"],
  ])("that lead to %s", (_name, payload, outcome, notification) => {
    expect(ask(bot, press(payload))).toMatchObject({ outcome, notification });
  });

  it("tapped twice in three seconds are tapped once", () => {
    const first = ask(bot, press("rule:menu"));
    const soon = ask(bot, press("rule:menu"), first.after, new Date(now.getTime() + 2_999));
    expect(soon.outcome).toBe("repeated");
    expect(soon.reply).toBeUndefined();
    expect(ask(bot, press("rule:menu"), first.after, new Date(now.getTime() + 3_000)).outcome).toBe(
      "answered",
    );
  });
});

describe("an operator", () => {
  const bot = aBot(
    [aRule({ id: "operator", keywords: ["оператор"], interrupts: true, action: "escalate" })],
    {
      operatorsChatId: "ops",
    },
  );

  it("gets the chat, and the bot is silent until it is called back or time is over", () => {
    const called = ask(bot, words("оператор"));
    expect(called).toMatchObject({ outcome: "escalated", after: { state: "operator" } });
    expect(called.reply?.buttons.flat()).toContainEqual({ text: "Вернуться к боту", payload: backPress });
    const silent = ask(bot, words("оператор"), called.after);
    expect(silent.outcome).toBe("relayed");
    expect(silent.reply).toBeUndefined();
    expect(ask(bot, { ...words(""), kind: "start" }, called.after).outcome).toBe("relayed");
    expect(ask(bot, press(backPress), called.after)).toMatchObject({ outcome: "returned", after: beginning });
    const later = new Date((called.after.expiresAt ?? now).getTime());
    expect(ask(bot, words("что?"), called.after, later).outcome).toBe("fallback");
  });

  it("cannot be given a chat where there is nobody: the words alone help, and the bot goes on", () => {
    const step = ask({ ...bot, operatorsChatId: null }, words("оператор"));
    expect(step).toMatchObject({ outcome: "escalated", after: beginning });
    expect(step.reply?.text).toContain("Позвать сотрудника в этот чат я не могу");
  });
});

it("a bot that is switched off says nothing", () => {
  const step = ask(aBot([aRule({ id: "a", keywords: ["а"] })], { enabled: false }), words("а"));
  expect(step.outcome).toBe("ignored");
  expect(step.reply).toBeUndefined();
});

// covers shopbot: Without a match: fallback or escalation, by configuration
it("the fallback never calls a person where it is told not to", () => {
  const bot = aBot([], { settings: { fallback: { escalate_after: null } } });
  let situation = beginning;
  for (let miss = 0; miss < 20; miss += 1) {
    const step = ask(bot, words("?"), situation);
    expect(step.outcome).toBe("fallback");
    situation = step.after;
  }
});

it("what is asked again offers only the buttons that lead somewhere from here", () => {
  const bot = aBot([
    aRule({
      id: "order",
      state: "order",
      keywords: [],
      accepts: "order_number",
      refusal: "Ещё раз",
      nextState: "reason",
      buttons: [
        [{ text: "Брак", press: "defect" }],
        [
          { text: "Отмена", press: "cancel" },
          { text: "Сайт", url: "https://example.com" },
        ],
      ],
    }),
    aRule({ id: "defect", state: "reason" }),
    aRule({ id: "cancel", interrupts: true }),
  ]);
  const inOrder = { state: "order", context: { turns: 0, misses: 0, answers: {} }, expiresAt: null };
  const { outcome, reply } = ask(bot, words("не помню"), inOrder);
  expect([outcome, reply?.buttons.map((row) => row.map(({ text }) => text))]).toEqual([
    "refused",
    [["Отмена", "Сайт"]],
  ]);
  const taken = ask(bot, words("12345"), inOrder);
  expect(taken.reply?.buttons).toHaveLength(2);
});

describe("an order number", () => {
  it.each([
    ["12345", "12345"],
    ["заказ № 12345", "12345"],
    ["#12345!", "12345"],
    ["АБ-001234", "АБ-001234"],
    ["MSK 4815162", "MSK-4815162"],
    ["12-345-67", "12-345-67"],
    ["я 12345", "12345"],
    ["123", undefined],
    ["1234567890123", undefined],
    ["12345 или 67890", undefined],
    ["не помню", undefined],
    ["🌼", undefined],
  ])("in %j is %s", (said, expected) => {
    expect(accept("order_number", said)).toBe(expected);
  });
});

it.each([
  ["phone", "+7 (999) 123-45-67", "+79991234567"],
  ["phone", "позвоните", undefined],
  ["email", "пишите на anna@example.com", "anna@example.com"],
  ["email", "anna@", undefined],
  ["text", "да", "да"],
  ["text", "…", undefined],
] as const)("%s in %j is %s", (kind, said, expected) => {
  expect(accept(kind, said)).toBe(expected);
});

describe("a flood", () => {
  const settings = settingsOf({ title: "т", flood: { burst: 3, per_minute: 60 } }).flood;

  it("is told once and dropped until the chat has calmed down", () => {
    let patience: Patience | undefined;
    const verdicts = Array.from({ length: 6 }, () => {
      const one = endure(patience, settings, now);
      patience = one.patience;
      return one.verdict;
    });
    expect(verdicts).toEqual(["pass", "pass", "pass", "tell", "drop", "drop"]);
    expect(endure(patience, settings, new Date(now.getTime() + 1_000)).verdict).toBe("pass");
  });

  it("is never answered more than its rate allows", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }), (gaps) => {
        let patience: Patience | undefined;
        let at = now.getTime();
        let passed = 0;
        for (const gap of gaps) {
          at += gap;
          const one = endure(patience, settings, new Date(at));
          patience = one.patience;
          passed += one.verdict === "pass" ? 1 : 0;
        }
        expect(passed).toBeLessThanOrEqual(3 + Math.floor((at - now.getTime()) / 1_000) + 1e-6);
      }),
    );
  });
});
