import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aPerson, type PersonOptions } from "./testing/harness.ts";
import { type LibraryServices, libraryFlows, libraryKeyboard, libraryScreens } from "./testing/library.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function aReader(house: NonNullable<PersonOptions<LibraryServices>["house"]>) {
  const services: LibraryServices = {
    ...{ books: new Map(), admins: new Set<string>(), left: [], stopped: [], deletions: [] },
    progress: () => undefined,
  };
  const person = await aPerson({
    ...{ sql: database.sql, flows: libraryFlows, screens: libraryScreens, keyboard: libraryKeyboard },
    ...{ services, home: "screen:dashboard", house },
  });
  services.books.set(1, { title: "Книга 1", owner: person.chatId });
  await person.command("start");
  return person;
}

describe("a bot that answers so many updates a minute", () => {
  it("drops the rest in silence, and answers again in the next minute", async () => {
    const person = await aReader({ pace: { perMinute: 3 } });
    await person.pressPayload("page:books:1");
    await person.pressPayload("dashboard");
    expect(await person.stands()).toBe("screen:dashboard");
    const before = person.messenger.messages(person.chatId).length;
    await person.pressPayload("page:books:1");
    await person.say("Есть кто?");
    expect(await person.stands()).toBe("screen:dashboard");
    expect(person.messenger.messages(person.chatId)).toHaveLength(before);
    person.clock.advance(60_000);
    await person.pressPayload("page:books:1");
    expect(await person.stands()).toBe("screen:page:books:1");
  });

  it("counts what it answers with a word only", async () => {
    const person = await aReader({ pace: { perMinute: 3 } });
    for (let tap = 0; tap < 4; tap++) await person.pressPayload("1.nothing");
    expect((await person.row()).minute_count).toBe(3);
  });
});

describe("a flow that is cancelled", () => {
  it("returns to the screen from which it was begun", async () => {
    const person = await aReader({});
    await person.pressPayload("book:1:card");
    await person.pressPayload("book:1:rename");
    expect(await person.stands()).toMatch(/^BookRename\./);
    await person.command("cancel");
    expect(await person.stands()).toBe("screen:book:1:card");
  });

  it("returns home if that screen is gone by then", async () => {
    const person = await aReader({});
    await person.command("cancel");
    expect(await person.stands()).toBe("screen:dashboard");
  });
});

describe("a bot with words of its own", () => {
  const texts = { ru: { busy: (title: string) => `Идёт «${title}»` }, en: {} };

  it("says them in place of the engine's, and the engine's otherwise", async () => {
    const person = await aReader({ texts });
    await person.pressPayload("book:new");
    await person.command("settings");
    expect(person.text()).toMatch(/^Идёт «/);
    await person.command("cancel");
    expect(person.text()).toContain("Хорошо, отменено.");
  });
});

it("an installation may end silent flows sooner than they would", async () => {
  const person = await aReader({ timing: { inactivityMinutes: 5 } });
  await person.pressPayload("book:new");
  person.clock.advance(4 * 60_000);
  await person.dialogs.settle();
  expect(await person.stands()).toMatch(/^BookCreate\./);
  person.clock.advance(60_000);
  await person.dialogs.settle();
  expect(await person.stands()).toBe("screen:dashboard");
});
