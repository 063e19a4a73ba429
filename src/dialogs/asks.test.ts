import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { flowsOf } from "./flow/flow.ts";
import { screensOf } from "./flow/screens.ts";
import { aPerson } from "./testing/harness.ts";

const both = (text: string) => ({ ru: text, en: text });

const letter = flowsOf<object>()({
  name: "Letter",
  title: both("письмо"),
  data: z.object({}),
  empty: {},
  first: "address",
  entries: { commands: { letter: { to: "address" } } },
  inactivity: "never",
  rivals: (_, state) => (state === "address" ? "yield" : "ask"),
  keep: { hours: 24, asks: true },
  states: {
    address: { ask: both("Кому?"), buttons: { on: { label: both("Дальше"), to: "words" } } },
    words: { ask: both("Что написать?"), buttons: { send: { label: both("Отправить"), to: "sending" } } },
    sending: {
      ask: both("Отправляю…"),
      again: both("Уже отправляется"),
      wait: { on: () => "letter", outcomes: { sent: { to: "@end" } } },
    },
  },
});

const { screen } = screensOf<object>();
const home = screen("home", { to: [], show: () => ({ text: "Дом", buttons: [] }) });

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const aWriter = () =>
  aPerson({ sql: database.sql, flows: [letter], screens: [home], services: {}, home: "screen:home" });

describe("cancelling a flow that is kept", () => {
  it("asks first where another flow would have to ask, and keeps it if the person leaves", async () => {
    const person = await aWriter();
    await person.command("letter");
    await person.press("Дальше");
    await person.command("cancel");
    expect(await person.stands()).toBe("Letter.words");
    await person.press("Выйти");
    expect(await person.stands()).toBe("screen:home");
    await person.command("letter");
    await person.press("Продолжить");
    expect(await person.stands()).toBe("Letter.words");
  });

  it("asks nothing on its first steps", async () => {
    const person = await aWriter();
    await person.command("letter");
    await person.command("cancel");
    expect(await person.stands()).toBe("screen:home");
  });
});

describe("a second tap on the button that led to a wait", () => {
  it("is answered by the wait's own words", async () => {
    const person = await aWriter();
    await person.command("letter");
    await person.press("Дальше");
    const { id, buttons } = person.messenger.last(person.chatId);
    const payload = buttons.find(({ label }) => label === "Отправить")?.payload ?? "";
    await person.pressPayload(payload, id);
    await person.pressPayload(payload, id);
    expect(person.messenger.answers.at(-1)?.text).toBe("Уже отправляется");
  });
});
