import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { notify, wake } from "./engine/notify.ts";
import { registerFlows } from "./flow/check.ts";
import { graphOf, printGraph, printScreens } from "./flow/graph.ts";
import { screensOf } from "./flow/screens.ts";
import { aPerson, type Person, type PersonOptions } from "./testing/harness.ts";
import { type LibraryServices, libraryFlows, libraryKeyboard, libraryScreens } from "./testing/library.ts";
import { unwalked } from "./testing/walk.ts";
import { screenFaults } from "./testing/walk-screens.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

interface Reader extends Person {
  readonly services: LibraryServices;
  rows(): string[][];
  lastTexts(count: number): string[];
  tap(address: string, messageId?: string): Promise<void>;
  wake(outcome: string, facts?: Record<string, unknown>): Promise<void>;
}

/** A person with so many books, at the dashboard. */
async function aReader(
  books = 2,
  given: Partial<LibraryServices> &
    Partial<Pick<PersonOptions<LibraryServices>, "language" | "files" | "meet">> = {},
): Promise<Reader> {
  const { language, files, meet, ...some } = given;
  const services: LibraryServices = {
    books: new Map(),
    admins: new Set(),
    left: [],
    stopped: [],
    deletions: [],
    progress: () => undefined,
    ...some,
  };
  const person = await aPerson({
    ...{ sql: database.sql, flows: libraryFlows, screens: libraryScreens, keyboard: libraryKeyboard },
    ...{ services, home: "screen:dashboard" },
    ...(language && { language }),
    ...(files && { files }),
    ...(meet && { meet }),
  });
  for (let id = 1; id <= books; id++) services.books.set(id, { title: `Книга ${id}`, owner: person.chatId });
  await person.command("start");
  let wakes = 0;
  return {
    ...person,
    services,
    rows: () => (person.messenger.last(person.chatId).rows ?? []).map((row) => row.map(({ label }) => label)),
    lastTexts: (count) =>
      person.messenger
        .messages(person.chatId)
        .slice(-count)
        .map(({ text }) => text),
    tap: (address, messageId) => person.pressPayload(address, messageId),
    async wake(outcome, facts = {}) {
      wakes += 1;
      const event = { chatId: person.chatId, id: `${person.chatId} ${wakes}`, on: "print:1", outcome, facts };
      await wake(database.sql, person.key, event, person.clock.now());
      await person.dialogs.settle();
    },
  };
}

describe("the keyboard below the chat", () => {
  it("comes once, and again when the person's labels change", async () => {
    const admins = new Set<string>();
    const person = await aReader(2, { admins });
    const keyboards = () =>
      person.messenger
        .messages(person.chatId)
        .flatMap(({ keyboard }) => (keyboard ? [keyboard.map((row) => row.map(({ label }) => label))] : []));
    expect(person.lastTexts(2)).toEqual(["Кнопки внизу всегда под рукой.", "Книг: 2"]);
    await person.say("Меню");
    expect(keyboards()).toEqual([[["Меню", "Написать книгу"]]]);
    admins.add("u1");
    await person.say("Меню");
    expect(keyboards().at(-1)).toEqual([["Меню", "Написать книгу"], ["АДМИНКА"]]);
    await person.say("АДМИНКА");
    expect(person.text()).toBe("Админка");
  });

  it("acts before a state reads the text, in either language; a label that one does not have is a word", async () => {
    const person = await aReader();
    await person.say("Write a book");
    expect(await person.stands()).toBe("BookCreate.name");
    await person.say("АДМИНКА");
    expect(await person.row()).toMatchObject({ state: "genre", data: { title: "АДМИНКА" } });
    await person.press("Прервать");
    await person.say("Написать книгу");
    expect(person.text()).toBe("Вы не закончили: новая книга.\n\nКнига «АДМИНКА»");
  });

  it("brings the screen anew and takes the former one away", async () => {
    const person = await aReader();
    const former = person.messenger.last(person.chatId).id;
    await person.say("Меню");
    expect(person.messenger.removed).toEqual([former]);
    expect(person.text()).toBe("Книг: 2");
  });
});

describe("a screen", () => {
  it("is opened by taps that edit its message, and reads what is true now", async () => {
    const person = await aReader(10);
    const [first] = person.rows();
    expect(first).toEqual(["Книги", "Новая"]);
    const { id } = person.messenger.last(person.chatId);
    await person.press("Книги");
    expect(person.rows().slice(-2)).toEqual([["1/2", "▶"], ["В меню"]]);
    await person.press("▶");
    expect(person.rows()).toEqual([["Книга 9"], ["Книга 10"], ["◀", "2/2"], ["В меню"]]);
    person.services.books.set(9, { title: "Другое имя", owner: person.chatId });
    await person.press("Книга 9");
    expect(person.text()).toBe("Другое имя");
    expect(person.messenger.last(person.chatId).id).toBe(id);
    expect(await person.stands()).toBe("screen:book:9:card");
  });

  it("is opened from an old message, which is edited", async () => {
    const person = await aReader();
    const old = person.messenger.last(person.chatId).id;
    await person.command("start");
    expect(person.messenger.last(person.chatId).id).not.toBe(old);
    await person.tap("book:2:card", old);
    expect(person.messenger.last(person.chatId)).toMatchObject({ id: old, text: "Книга 2" });
    await person.press("К книгам");
    expect(person.messenger.last(person.chatId)).toMatchObject({ id: old, text: "Книги, страница 1" });
  });

  it.each([
    "book:77:card",
    "book:3:delete",
    "nothing:here",
    "book:x:card",
    "page:books:99999999999999999999",
  ])("that is not there or not one's own is a screen with a way on: %s", async (address) => {
    const person = await aReader();
    person.services.books.set(3, { title: "Чужая", owner: "somebody" });
    await person.tap(address);
    expect(person.text()).toBe("Этого здесь больше нет. Возможно, оно удалено.");
    await person.press("Главное меню");
    expect(person.text()).toBe("Книг: 2");
    expect(person.services.books.size).toBe(3);
  });

  it("acts once on a double tap, also in two processes at once, and again when tapped later", async () => {
    const person = await aReader(1);
    const card = person.messenger.last(person.chatId).id;
    await person.tap("book:1:file:csv");
    const twice = [person.next(), person.next()].map((update) => ({
      ...{ ...update, messageId: card, kind: "press" as const },
      ...{ pressId: `d${update.id}`, payload: "book:1:delete" },
    }));
    await person.dialogs.receive(twice);
    await Promise.all([person.another().settle(), person.dialogs.settle()]);
    expect(person.services.deletions).toEqual([1]);
    expect(person.text()).toBe("Удалено: Книга 1\n\nКниги, страница 1");
    expect(person.messenger.answers.map(({ text }) => text)).toContain("Удалено");
    person.clock.advance(2_000);
    await person.tap("book:1:delete", card);
    expect(person.text()).toBe("Этого здесь больше нет. Возможно, оно удалено.");
  });

  it("begins a flow with data, and a flow ends on a screen", async () => {
    const person = await aReader();
    await person.tap("book:2:rename");
    expect(person.text()).toBe("Вместо «Книга 2»?");
    await person.say("Война и мир");
    expect(person.text()).toBe("Война и мир");
    expect(await person.stands()).toBe("screen:book:2:card");
  });

  it("replaces a flow with a notice, or after a question, as the flow says", async () => {
    const person = await aReader();
    await person.tap("book:1:rename");
    await person.tap("page:books:1");
    expect(person.text()).toBe("Предыдущий процесс (новое название) прерван.\n\nКниги, страница 1");
    await person.tap("book:new");
    await person.say("Идиот");
    await person.say("Меню");
    expect(person.text()).toBe("Прервать: новая книга? Прогресс сохранится 24 часа.");
    await person.press("Продолжить");
    expect(person.text()).toBe("Какой жанр?");
    await person.say("Меню");
    await person.press("Выйти");
    expect(person.text()).toBe("Книг: 2");
  });

  it("names the flow that an action would begin, whether it replaces another at once or after a question", async () => {
    const person = await aReader();
    await person.tap("book:1:rename");
    await person.tap("book:2:rename");
    expect(person.text()).toBe(
      "Предыдущий процесс (новое название) прерван. Начинаем: новое название.\n\nВместо «Книга 2»?",
    );
    await person.say("/cancel");
    await person.tap("book:new");
    await person.say("Идиот");
    await person.tap("book:2:rename");
    expect(person.text()).toContain("новое название");
    expect(person.text()).not.toContain("Прогресс сохранится");
  });

  it("survives a release that lacks it, a handler that fails, and stale buttons of flows", async () => {
    const person = await aReader();
    await person.tap("book:new");
    const question = person.messenger.last(person.chatId);
    const stale = question.buttons[0]?.payload ?? "";
    await person.say("Меню");
    person.clock.advance(5_000);
    await person.pressPayload(stale, question.id);
    expect(person.messenger.answers.at(-1)?.text).toBe("Эта кнопка с прежнего экрана.");
    expect(person.text()).toContain("Книг: 2");
    Object.defineProperty(person.services.books, "get", {
      value: () => {
        throw new Error("the shelf is locked");
      },
    });
    await person.tap("book:1:card");
    for (let attempt = 0; attempt < 3; attempt++) {
      person.clock.advance(10_000);
      await person.dialogs.settle();
    }
    expect(person.text()).toBe("Что-то пошло не так, мы уже знаем. Попробуйте ещё раз.");
    await person.press("Главное меню");
    expect(person.text()).toBe("Книг: 2");
  });

  it("stands again below what the person is told from elsewhere", async () => {
    const person = await aReader();
    await person.press("Книги");
    const news = { chatId: person.chatId, id: "n", name: "paid", say: { ru: "Оплачено", en: "Paid" } };
    await notify(database.sql, person.key, news, person.clock.now());
    await person.dialogs.settle();
    expect(person.lastTexts(2)).toEqual(["Оплачено", "Книги, страница 1"]);
  });

  it("speaks to the payload of a deep link", async () => {
    const person = await aReader();
    await person.command("start", "ref_7");
    expect(person.text()).toBe("Книг: 2 (ref_7)");
  });
});

it("everybody is met before their step, in its transaction", async () => {
  const seen: string[] = [];
  const person = await aReader(2, {
    async meet({ sql, person: who, workspaceId }) {
      const [row] = await sql<[{ steps: number }]>`
        select max(revision)::int as steps from dialogs.dialogues where workspace_id = ${workspaceId}`;
      seen.push(`${who?.name} after step ${row.steps}`);
    },
  });
  const { revision } = await person.row();
  const ira = { ...person.next(), person: { name: "Ира" } };
  await person.receive({ ...ira, kind: "text", text: "Меню" });
  expect(seen.at(-1)).toBe(`Ира after step ${revision}`);
  expect(person.text()).toBe("Книг: 2");
});

it("whoever cannot be met is not answered, and is met again", async () => {
  let fails = 0;
  const person = await aReader(2, {
    async meet({ sql }) {
      await sql`select 1 / ${fails === 1 ? 0 : 1}::int`;
    },
  });
  const messages = person.messenger.messages(person.chatId).length;
  fails = 1;
  await person.say("Меню");
  expect(person.messenger.messages(person.chatId)).toHaveLength(messages);
  fails = 0;
  person.clock.advance(10_000);
  await person.dialogs.settle();
  expect(person.text()).toBe("Книг: 2");
});

describe("a state", () => {
  it("has grids, pages, colours and a text to copy", async () => {
    const person = await aReader();
    await person.tap("book:new");
    await person.say("Идиот");
    expect(person.rows()).toEqual([
      ["Скопировать"],
      ["жанр 1", "жанр 2", "жанр 3"],
      ["жанр 4", "жанр 5", "жанр 6"],
      ["жанр 7", "жанр 8"],
      ["1/2", "▶"],
      ["← Назад", "Прервать"],
    ]);
    const [copy, genre] = person.messenger.last(person.chatId).buttons;
    expect(copy).toMatchObject({ copy: "Идиот" });
    expect(genre).toMatchObject({ style: "success" });
    await person.press("▶");
    expect(person.rows()[1]).toEqual(["жанр 9", "жанр 10"]);
  });

  it("takes files with their bytes, and refuses those that are too large or gone", async () => {
    const person = await aReader();
    await person.tap("book:new");
    await person.say("Идиот");
    await person.press("жанр 1");
    person.messenger.files.set("small", Buffer.from("12345"));
    person.messenger.files.set("large", Buffer.alloc(2_000));
    await person.send({ kind: "photo", fileId: "small" });
    expect(person.text()).toContain("Байт: 5");
    await person.send({ kind: "photo", fileId: "large" });
    expect(person.text()).toContain("Файл: too large");
    await person.send({ kind: "document", fileId: "nowhere" });
    expect(person.text()).toContain("Файл: gone");
    await person.send({ kind: "document", fileId: "small" });
    expect(person.text()).toBe("Книга создана, обложка: файл\n\nИдиот");
  });

  it("is continued by a command, and otherwise the command begins what it always does", async () => {
    const person = await aReader();
    await person.tap("book:new");
    await person.say("Идиот");
    await person.command("start", "cover_77");
    expect(await person.stands()).toBe("screen:dashboard");
    await person.say("Написать книгу");
    await person.press("Продолжить");
    await person.press("жанр 2");
    await person.command("start", "cover_77");
    expect(person.text()).toBe("Книга создана, обложка: 77\n\nИдиот");
  });

  it("prepares itself when it is entered, and may lead on at once", async () => {
    const person = await aReader();
    await person.tap("book:2:rename");
    person.services.books.delete(2);
    await person.say("x");
    await person.say("Меню");
    expect(await person.stands()).toBe("screen:dashboard");
    const gone = await aReader(0);
    gone.services.books.set(1, { title: "Книга", owner: gone.chatId });
    const { get } = gone.services.books;
    // Deleted between the tap and the question.
    gone.services.books.get = function (id) {
      const book = get.call(this, id);
      this.delete(id);
      return book;
    };
    await gone.tap("book:1:rename");
    expect(gone.text()).toBe("Книги уже нет.\n\nКниги, страница 1");
  });
});

describe("files", () => {
  it("are sent by a step, and their bytes are gone afterwards", async () => {
    const person = await aReader(1);
    await person.tap("book:1:file:csv");
    expect(person.messenger.sent).toMatchObject([
      { kind: "document", name: "book-1.csv", caption: { text: "Ваш файл" } },
    ]);
    const [file] = person.messenger.sent;
    expect(file && "file" in file && "bytes" in file.file && Buffer.from(file.file.bytes).toString()).toBe(
      "title\nКнига 1\n",
    );
    expect(person.text()).toBe("Книга 1");
    expect(await database.sql`select 1 from dialogs.files where chat_id = ${person.chatId}`).toEqual([]);
  });

  it("that the messenger refuses for good are told, and the screen still comes", async () => {
    const person = await aReader(1);
    person.messenger.refusals.push({ kind: "gone" });
    await person.tap("book:1:file:csv");
    expect(person.lastTexts(2)).toEqual([
      "Файл не удалось отправить. Попробуйте ещё раз чуть позже.",
      "Книга 1",
    ]);
  });

  it("stand above a screen's text, and a message with a picture is replaced by one without", async () => {
    const person = await aReader(1, {
      files: async (key) => (key === "cover" ? Buffer.from("jpg") : undefined),
    });
    person.services.books.set(1, { title: "Фото", owner: person.chatId });
    const dashboard = person.messenger.last(person.chatId).id;
    await person.tap("book:1:card");
    expect(person.messenger.last(person.chatId)).toMatchObject({
      text: "Фото",
      picture: { bytes: Buffer.from("jpg") },
    });
    expect(person.messenger.removed).toEqual([dashboard]);
    const card = person.messenger.last(person.chatId).id;
    await person.press("К книгам");
    expect(person.messenger.removed).toEqual([dashboard, card]);
    expect(person.messenger.last(person.chatId)).toMatchObject({
      text: "Книги, страница 1",
      picture: undefined,
    });
  });

  it("that are not there leave the words", async () => {
    const person = await aReader(1);
    person.services.books.set(1, { title: "Фото", owner: person.chatId });
    await person.tap("book:1:card");
    expect(person.messenger.last(person.chatId)).toMatchObject({ text: "Фото", picture: undefined });
  });
});

describe("a wait", () => {
  async function aPrinter() {
    const state = { progress: "Лист 1" as ReturnType<LibraryServices["progress"]> };
    const person = await aReader(1, { progress: () => state.progress });
    await person.tap("book:1:print");
    await person.press("Да");
    const tick = async () => {
      person.clock.advance(3_000);
      await person.dialogs.settle();
    };
    return { person, state, tick };
  }

  it("shows how far it is in one message, at a bounded pace, holding no place", async () => {
    const { person, state, tick } = await aPrinter();
    expect(person.text()).toBe("Лист 1");
    expect(person.labels()).toEqual(["Отмена"]);
    const { id } = person.messenger.last(person.chatId);
    state.progress = "Лист 2";
    await person.dialogs.settle();
    expect(person.text()).toBe("Лист 1");
    await tick();
    expect(person.messenger.last(person.chatId)).toMatchObject({ id, text: "Лист 2" });
    expect(person.messenger.typed).toContain(person.chatId);
    const { revision } = await person.row();
    await tick();
    expect(await person.row()).toMatchObject({ revision, work_id: null });
  });

  it("is ended by a wake, once, with what it brought", async () => {
    const { person } = await aPrinter();
    await person.wake("done", { sheets: 12 });
    expect(person.text()).toBe("Напечатано листов: 12");
    await person.press("Хорошо");
    expect(person.text()).toBe("Книг: 1");
    await person.wake("done", { sheets: 13 });
    expect(person.text()).toBe("Книг: 1");
  });

  it("goes on after a wake that it has no outcome for, and takes the next one", async () => {
    const { person } = await aPrinter();
    const before = person.text();
    await person.wake("warming");
    expect(person.text()).toBe(before);
    await person.wake("done", { sheets: 12 });
    expect(person.text()).toBe("Напечатано листов: 12");
  });

  it("is ended by a look when the wake was lost, also in another process after a restart", async () => {
    const { person, state } = await aPrinter();
    state.progress = { outcome: "failed" };
    person.clock.advance(3_000);
    await person.another().settle();
    expect(person.text()).toBe("Бумага кончилась, токены возвращены.\n\nПечатаем?");
  });

  it("asks to stop by its button or /cancel, by a button shown before the last look", async () => {
    const { person, state, tick } = await aPrinter();
    const cancel = person.messenger.last(person.chatId).buttons[0]?.payload ?? "";
    state.progress = "Лист 2";
    await tick();
    await person.pressPayload(cancel);
    expect(person.services.stopped).toEqual(["1"]);
    expect(person.text()).toBe("Останавливаю после этого листа.\n\nЛист 2");
    await person.pressPayload(cancel);
    expect(person.services.stopped).toEqual(["1"]);
    await person.command("cancel");
    expect(person.services.stopped).toEqual(["1", "1"]);
    await person.say("эй");
    expect(person.text()).toBe("Уже работаю над этим, подождите немного.\n\nЛист 2");
  });

  it("goes on without the person, who comes back to the result when it is there", async () => {
    const { person } = await aPrinter();
    await person.say("Меню");
    expect(person.labels()).toContain("Вернуться к печати");
    await person.press("Вернуться к печати");
    expect(person.text()).toBe("Лист 1");
    await person.say("Меню");
    await person.wake("done", { sheets: 3 });
    expect(person.text()).toBe("Напечатано листов: 3");
    expect(await person.stands()).toBe("Print.printed");
  });

  it("that ends while the person is in another flow says so with a way back", async () => {
    const { person } = await aPrinter();
    await person.say("Написать книгу");
    await person.say("Идиот");
    await person.wake("done", { sheets: 3 });
    expect(person.lastTexts(2)).toEqual(["Книга напечатана.", "Какой жанр?"]);
    const told = person.messenger.messages(person.chatId).at(-2);
    await person.pressPayload(told?.buttons[0]?.payload ?? "", told?.id);
    expect(person.text()).toBe("Прервать: новая книга? Прогресс сохранится 24 часа.");
    await person.press("Выйти");
    expect(person.text()).toBe("Напечатано листов: 3");
  });
});

describe("a flow that was left", () => {
  it("is offered when it is begun again: to continue, to start over, or to give up", async () => {
    const person = await aReader();
    const leave = async () => {
      await person.say("Написать книгу");
      await person.say("Идиот");
      await person.press("Прервать");
    };
    await leave();
    await person.say("Написать книгу");
    expect(person.labels()).toEqual(["Продолжить", "Начать заново", "Отменить"]);
    await person.press("Продолжить");
    expect(person.text()).toBe("Какой жанр?");
    await person.press("Прервать");
    await person.tap("book:new");
    await person.press("Начать заново");
    expect(person.text()).toBe("Как называется книга?");
    expect(person.services.left).toEqual(["cancelled"]);
    await person.command("cancel");
    await leave();
    await person.say("Написать книгу");
    await person.press("Отменить");
    expect(person.text()).toBe("Хорошо, начатое удалено.\n\nКниг: 2");
    await person.tap("flow:BookCreate:resume");
    expect(person.text()).toBe("Сохранённого уже нет. Можно начать заново.\n\nКниг: 2");
    expect(person.services.left).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  it("is kept for its hours after inactivity, and then gives back what it held", async () => {
    const person = await aReader();
    await person.say("Написать книгу");
    await person.say("Идиот");
    person.clock.advance(31 * 60_000);
    await person.dialogs.settle();
    expect(person.text()).toBe("Сессия истекла. Начните заново\n\nКниг: 2");
    expect(person.services.left).toEqual([]);
    person.clock.advance(25 * 3_600_000);
    await person.another().settle();
    expect(person.services.left).toEqual(["expired"]);
    await person.say("Написать книгу");
    expect(person.text()).toBe("Как называется книга?");
  });
});

it("every edge of flows beside screens can be walked, and every button of every screen", async () => {
  const person = await aReader(10, { admins: new Set(["u1"]) });
  const restore = () => {
    for (let id = 1; id <= 10; id++)
      person.services.books.set(id, { title: `Книга ${id}`, owner: person.chatId });
  };
  const walk = { person, screens: libraryScreens, before: restore };
  expect(await screenFaults({ ...walk, from: ["dashboard", "admin"] })).toEqual([]);
  expect(await screenFaults({ ...walk, from: ["dashboard"] })).toEqual(["admin was never reached"]);
  person.messenger.files.set("f", Buffer.from("1"));
  const missing = await unwalked({
    ...{ sql: database.sql, person, flows: libraryFlows },
    examples: {
      "BookCreate.name": [{ text: "Идиот" }],
      "BookCreate.cover": [
        { media: { kind: "photo", fileId: "f" } },
        { media: { kind: "document", fileId: "f" } },
        { media: { kind: "document", fileId: "gone" } },
        { command: { name: "start", argument: "cover_1" } },
      ],
      "BookRename.title": [{ text: "Бесы", data: { id: 1 } }, { data: { id: 77 } }],
    },
  });
  expect(missing).toEqual([]);
  expect(printScreens(libraryScreens)).toContain("  dashboard /start\n    → page:books:{page}\n");
  expect(printGraph(graphOf(libraryFlows[2]))).toContain(
    "  printing (waits)\n    [cancel] → @stay\n    *done → printed\n",
  );
});

it("screens that cannot work are refused with every fault", () => {
  const { screen, action } = screensOf<LibraryServices>();
  const view = () => ({ text: "x", buttons: [] });
  const faulty = [
    screen("Bad:Path", { to: [], show: view }),
    screen("flow:own", { to: [], show: view }),
    screen("twice", { to: ["nowhere", "flow:Nobody"], show: view }),
    screen("twice", { to: [], show: view, commands: ["start:Ж"] }),
    action("silent", { to: [], act: () => ({}) }),
  ];
  const refused = (text: RegExp) => expect(() => registerFlows([], { screens: faulty })).toThrow(text);
  refused(/Bad:Path: a path is words/);
  refused(/paths that begin with flow are the engine's/);
  refused(/twice: leads to the unknown nowhere/);
  refused(/twice: leads to the unknown flow:Nobody/);
  refused(/the path twice belongs to two screens/);
  refused(/cannot lead here/);
  refused(/silent: an action leads somewhere/);
  expect(() => registerFlows([], { home: "screen:void", keyboard: libraryKeyboard })).toThrow(
    /the label Menu leads to the unknown screen:dashboard[\s\S]*the home screen:void is not among the screens/,
  );
});
