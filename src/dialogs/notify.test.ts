import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { notify } from "./engine/notify.ts";
import { flowsOf } from "./flow/flow.ts";
import { screensOf } from "./flow/screens.ts";
import { aPerson, type Person } from "./testing/harness.ts";

const both = (text: string) => ({ ru: text, en: text });
const card = {
  ...{ title: "Токены", description: "3 500 токенов", payload: "p", label: "Токены", amount: 195 },
  currency: "XTR" as const,
};
const flow = flowsOf<object>();

/** A flow that waits for tokens, and one without an event for them. */
const article = flow({
  name: "Article",
  title: both("статья"),
  data: z.object({ balance: z.number() }),
  empty: { balance: 0 },
  first: "short",
  entries: { commands: { article: { to: "short" } } },
  inactivity: "never",
  keep: { hours: 24 },
  events: {
    topped_up: { to: "ready", take: (_, facts) => ({ data: { balance: Number(facts.balance) } }) },
  },
  states: {
    short: {
      ask: ({ balance }) => `Нужно 320, у Вас ${balance}.`,
      buttons: {
        pay: { label: both("Пополнить"), to: "@stay", press: () => ({ say: [{ invoice: card }] }) },
        shop: { label: both("Тарифы"), to: "screen:tariffs", press: () => ({ keep: true }) },
      },
    },
    ready: {
      ask: ({ balance }) => `Баланс ${balance}. Продолжить?`,
      buttons: { go: { label: both("Продолжить"), to: "@end" } },
    },
  },
});
const survey = flow({
  name: "Survey",
  title: both("опрос"),
  data: z.object({}),
  empty: {},
  first: "name",
  entries: { commands: { survey: { to: "name" } } },
  inactivity: "never",
  states: {
    name: {
      ask: both("Как Вас зовут?"),
      text: { to: "@end", take: (_, name) => ({ notice: `Привет, ${name}` }) },
    },
  },
});

const { screen } = screensOf<object>();
const screens = [
  screen("tariffs", {
    to: ["home"],
    show: () => ({ text: "Тарифы", buttons: [[{ label: "Домой", to: "home" }]] }),
  }),
  screen("home", {
    to: ["tariffs"],
    show: () => ({ text: "Дом", buttons: [[{ label: "Тарифы", to: "tariffs" }]] }),
  }),
];

let database: TestDatabase;
let person: Person;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

async function meet(): Promise<void> {
  person = await aPerson({ sql: database.sql, flows: [article, survey], screens, services: {} });
}
async function told(id: string, facts: Record<string, unknown> = {}): Promise<void> {
  const { workspace_id: workspaceId, bot } = await person.row();
  const say = { ru: "Баланс пополнен!", en: "Topped up!" };
  await notify(
    database.sql,
    { workspaceId: String(workspaceId), bot: String(bot) },
    { chatId: person.chatId, id, name: "topped_up", say, facts },
    person.clock.now(),
  );
  await person.dialogs.settle();
}
const texts = () => person.messenger.messages(person.chatId).map(({ text }) => text);

describe("something that happened elsewhere", () => {
  // covers payments: E51 Going on after a top-up
  it("lets a flow that waits for it go on, with an offer to continue", async () => {
    await meet();
    await person.command("article");
    await person.press("Пополнить");
    expect(person.messenger.invoices).toEqual([card]);
    await told("payment-1", { balance: 4_500 });
    expect(texts()).toContain("Баланс пополнен!");
    expect([person.text(), person.labels()[0]]).toEqual(["Баланс 4500. Продолжить?", "Продолжить"]);
  });

  it("is said once, however often it is told, and leaves whatever is under way where it was", async () => {
    await meet();
    await person.command("survey");
    for (let time = 0; time < 3; time += 1) await told("payment-2");
    expect(texts().filter((text) => text === "Баланс пополнен!")).toHaveLength(1);
    expect(person.text()).toBe("Как Вас зовут?");
    await person.say("Ира");
    expect(person.text()).toContain("Привет, Ира");
  });

  it("is said when nothing is under way", async () => {
    await meet();
    await person.command("survey");
    await person.say("Ира");
    await told("payment-3");
    expect(person.text()).toBe("Баланс пополнен!");
  });
});

describe("a notice with buttons", () => {
  async function aGuest(): Promise<Person> {
    const flows = [article, survey];
    person = await aPerson({ sql: database.sql, flows, screens, services: {}, home: "screen:home" });
    return person;
  }
  async function tell(id: string): Promise<void> {
    await notify(
      database.sql,
      person.key,
      {
        ...{ chatId: person.chatId, id, name: "paid", say: both("Зачислено") },
        keys: {
          ru: [[{ label: "К тарифам", to: "tariffs" }]],
          en: [[{ label: "To tariffs", to: "tariffs" }]],
        },
        resume: {
          flows: ["Article"],
          ask: both("Продолжить?"),
          yes: both("Продолжить"),
          no: both("Нет"),
        },
      },
      person.clock.now(),
    );
    await person.dialogs.settle();
  }

  it("has them below its own message, above the screen where the person is", async () => {
    await aGuest();
    await person.command("survey");
    await tell("keys-1");
    const [told, shown] = person.messenger.messages(person.chatId).slice(-2);
    expect([told?.text, told?.rows?.[0]?.[0]]).toEqual([
      "Зачислено",
      { label: "К тарифам", payload: "tariffs" },
    ]);
    expect(shown?.text).toContain("Как Вас зовут?");
  });

  // covers payments: E51 Going on after a top-up
  it("asks whether to go on with a flow that was left for a screen and is kept", async () => {
    await aGuest();
    await person.command("article");
    await person.press("Тарифы");
    expect(person.text()).toBe("Тарифы");
    await tell("keys-2");
    expect([person.text(), person.labels()]).toEqual(["Продолжить?", ["Продолжить", "Нет"]]);
    await person.press("Нет");
    expect(person.text()).toBe("Дом");
    await tell("keys-3");
    await person.press("Продолжить");
    expect(person.text()).toContain("Нужно 320");
  });
});

describe("an invoice", () => {
  it("is sent again when Telegram was not heard, and passed over when it is refused for good", async () => {
    await meet();
    await person.command("article");
    person.messenger.refusals.push({ kind: "later", afterMs: 1 });
    await person.press("Пополнить");
    expect(person.messenger.invoices).toEqual([]);
    person.clock.advance(1_000);
    await person.dialogs.settle();
    expect(person.messenger.invoices).toEqual([card]);
    person.messenger.refusals.push({ kind: "gone" });
    await person.press("Пополнить");
    expect(person.messenger.invoices).toEqual([card]);
    expect(person.text()).toContain("Нужно 320");
  });
});
