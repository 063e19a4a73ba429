import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aPerson, type Person, type PersonOptions } from "./testing/harness.ts";
import { type OracleServices, oracle } from "./testing/oracle.ts";
import { menu, type ParcelServices, parcel, survey } from "./testing/parcel.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

function courier(order: ParcelServices["order"] = async () => ({ number: "17" })): ParcelServices {
  return { order, left: [] };
}

const somebody = (given: Partial<PersonOptions<ParcelServices>> = {}) =>
  aPerson({ sql: database.sql, flows: [menu, parcel, survey], services: courier(), home: "Menu", ...given });

/** Every step of the order, so that a test may stop anywhere. */
const steps: readonly (readonly [state: string, step: (person: Person) => Promise<void>])[] = [
  ["Parcel.size", (person) => person.command("parcel")],
  ["Parcel.extras", (person) => person.press("Малая")],
  ["Parcel.extras", (person) => person.press("box")],
  ["Parcel.weight", (person) => person.press("Готово")],
  ["Parcel.address", (person) => person.say("около 6,2 кг")],
  ["Parcel.code", (person) => person.say("Москва, Тверская 1")],
  ["Parcel.photo", (person) => person.say("12К34")],
  ["Parcel.confirm", (person) => person.send({ kind: "photo", fileId: "f1" })],
];

async function until(person: Person, state: string): Promise<void> {
  for (const [arrived, step] of steps) {
    await step(person);
    expect(await person.stands()).toBe(arrived);
    if (arrived === state) return;
  }
}

describe("a flow", () => {
  it("leads from its command to its end, in one message that is edited", async () => {
    const person = await somebody();
    await until(person, "Parcel.extras");
    expect(person.messenger.messages(person.chatId)).toHaveLength(1);
    await person.press("box");
    await person.press("Готово");
    await person.say("6");
    await person.say("Москва, Тверская 1");
    await person.say("12");
    await person.send({ kind: "voice" });
    expect(person.text()).toBe("🎤\n\nЗаказать: Москва, Тверская 1?");
    await person.press("Да");
    expect(person.text()).toBe("Номер 17");
    expect(await person.stands()).toBe("nowhere");
    expect(person.messenger.typed).toContain(person.chatId);
  });

  it("speaks English to those whose language is not Russian", async () => {
    const person = await somebody({ language: "en" });
    await person.command("parcel");
    expect(person.text()).toBe("How large is the parcel?");
    expect(person.labels()).toEqual(["Small", "Large", "Cancel"]);
  });

  it("begins by a deep link, by a photo and by free text", async () => {
    const linked = await somebody();
    await linked.command("start", "address_Lenina5");
    expect(await linked.row()).toMatchObject({ state: "weight", data: { address: "Lenina5" } });
    expect(linked.labels()).not.toContain("Пропустить");
    const shooting = await somebody();
    await shooting.send({ kind: "photo", fileId: "f9" });
    expect(await shooting.row()).toMatchObject({ flow: "Parcel", data: { photo: "f9" } });
    const writing = await somebody();
    await writing.say("всё хорошо");
    expect(writing.text()).toBe("Ваше мнение: всё хорошо");
  });

  it("leads into another, and back to the menu with a message that stays", async () => {
    const person = await somebody();
    await person.command("start");
    await person.press("Посылка");
    await person.press("Большая");
    await person.press("card");
    await person.press("Готово");
    await person.press("Пропустить");
    await person.say("Москва, Тверская 1");
    await person.say("1");
    await person.send({ kind: "photo", fileId: "f" });
    await person.press("Да");
    expect(
      person.messenger
        .messages(person.chatId)
        .slice(-2)
        .map(({ text }) => text),
    ).toEqual(["Номер 17", "Что сделаем?"]);
    expect(await person.stands()).toBe("Menu.menu");
  });

  it("goes back through where the person was, keeping the answers", async () => {
    const person = await somebody();
    await until(person, "Parcel.address");
    await person.press("← Назад");
    expect(await person.stands()).toBe("Parcel.weight");
    await person.press("← Назад");
    await person.press("← Назад");
    expect(await person.stands()).toBe("Parcel.size");
    expect(person.labels()).not.toContain("← Назад");
    expect(await person.row()).toMatchObject({ data: { weight: 6.2, size: "s" } });
  });

  it("takes secrets out of the chat", async () => {
    const person = await somebody();
    await until(person, "Parcel.photo");
    expect(person.messenger.removed).toHaveLength(1);
  });

  it("takes a secret that comes twice, is edited or comes too late out of the chat and the inbox", async () => {
    const house = { looksSecret: (text: string) => text.startsWith("key-") };
    const person = await somebody({ house });
    const kept = async () => {
      const rows = await database.sql<{ body: object }[]>`
        select body from dialogs.inbox where bot = ${person.key.bot} and chat_id = ${person.chatId} order by update_id`;
      return rows.map(({ body }) => Object.keys(body).length > 0);
    };
    await until(person, "Parcel.code");
    await person.edit();
    expect(person.messenger.removed).toHaveLength(1);
    await person.say("12К34");
    await person.say("12К34");
    expect(await person.stands()).toBe("Parcel.photo");
    expect(person.messenger.removed).toHaveLength(3);
    expect((await kept()).slice(-3)).toEqual([false, false, false]);
    await person.command("cancel");
    await person.say("key-1");
    await person.say("привет");
    expect(person.messenger.removed).toHaveLength(4);
    expect((await kept()).slice(-2)).toEqual([false, true]);
  });

  it("takes a secret out of the chat and the inbox when it could not be worked on", async () => {
    let isBroken = false;
    const meet = async () => {
      if (isBroken) throw new Error("the database is away");
    };
    const person = await somebody({ meet });
    await until(person, "Parcel.code");
    isBroken = true;
    await person.say("12К34");
    for (let turn = 0; turn < 2; turn += 1) {
      person.clock.advance(10_000);
      await person.dialogs.settle();
    }
    const [last] = await database.sql<{ body: object; done_at: Date | null }[]>`
      select body, done_at from dialogs.inbox where bot = ${person.key.bot} order by update_id desc limit 1`;
    expect(last).toEqual({ body: {}, done_at: expect.any(Date) });
    expect(person.messenger.removed).toHaveLength(1);
  });

  it("edits, follows what was written, or comes as a new message, as each screen says", async () => {
    const person = await somebody();
    await until(person, "Parcel.weight");
    await person.say("много");
    expect(person.messenger.messages(person.chatId)).toHaveLength(1);
    expect(person.text()).toContain("Напишите вес от 0,1 до 30 кг.");
    await person.say("6");
    expect(person.messenger.messages(person.chatId)).toHaveLength(2);
    expect(person.messenger.messages(person.chatId)[0]?.buttons).toEqual([]);
  });
});

describe("/cancel", () => {
  it.each(steps.map(([state]) => state))("leaves from %s, gives back and comes home", async (state) => {
    const services = courier();
    const person = await somebody({ services });
    await until(person, state);
    await person.command("cancel");
    expect(person.text()).toBe("Посылка отменена.\n\nЧто сделаем?");
    expect(services.left).toEqual(["cancelled"]);
  });

  it("works as a button, and says when there is nothing to cancel", async () => {
    const person = await somebody({ home: undefined });
    await person.command("cancel");
    expect(person.text()).toBe("Отменять нечего.");
    await person.command("parcel");
    await person.press("Отмена");
    expect(person.text()).toBe("Посылка отменена.");
    expect(await person.stands()).toBe("nowhere");
  });
});

describe("a tap", () => {
  it("counts once when tapped twice in two processes at once", async () => {
    const person = await somebody();
    await until(person, "Parcel.extras");
    const payload =
      person.messenger.last(person.chatId).buttons.find(({ label }) => label === "box")?.payload ?? "";
    const messageId = person.messenger.last(person.chatId).id;
    const tap = () => ({ ...person.next(), messageId, kind: "press" as const, pressId: "x", payload });
    const other = person.another();
    await Promise.all([person.dialogs.receive([tap()]), other.receive([tap()])]);
    await Promise.all([person.dialogs.settle(), other.settle()]);
    expect(await person.row()).toMatchObject({ data: { extras: ["box"] } });
    expect(person.messenger.answers.filter(({ pressId }) => pressId === "x").map(({ text }) => text)).toEqual(
      expect.arrayContaining([undefined, "Эта кнопка с прежнего экрана."]),
    );
  });

  it("of an earlier screen gets a short answer and the present screen", async () => {
    const person = await somebody();
    await until(person, "Parcel.extras");
    const old = person.messenger.last(person.chatId);
    await person.press("box");
    await person.press("Готово");
    await person.say("6");
    await person.pressPayload(old.buttons[0]?.payload ?? "", old.id);
    expect(person.messenger.answers.at(-1)?.text).toBe("Эта кнопка с прежнего экрана.");
    expect(await person.stands()).toBe("Parcel.address");
    expect(person.text()).toBe("Куда везти?");
    expect(person.messenger.messages(person.chatId).at(-1)?.text).toBe("Куда везти?");
  });

  it.each([
    "",
    "zzz",
    "1.s.",
    "..",
    "!back",
    "1.!new.",
    "9".repeat(500),
    "2.s.forged",
    "\u0000",
    "2.constructor.",
  ])("with data that no screen held (%j) changes nothing", async (payload) => {
    const person = await somebody();
    await person.command("start");
    await person.press("Посылка");
    const before = await person.row();
    await person.pressPayload(payload);
    expect(await person.row()).toMatchObject({ revision: before.revision, state: "size" });
    expect(person.messenger.answers.at(-1)?.text).toBe("Эта кнопка с прежнего экрана.");
  });

  it("that is refused says why", async () => {
    const person = await somebody();
    await until(person, "Parcel.extras");
    await person.press("Готово");
    expect(person.messenger.answers.at(-1)?.text).toBe("Выберите хотя бы одно.");
    expect(await person.stands()).toBe("Parcel.extras");
  });
});

describe("what does not fit", () => {
  it("is refused kindly: media for text, text for a button, text for media, edits, commands", async () => {
    const person = await somebody();
    await person.command("parcel");
    await person.say("малая");
    expect(person.text()).toBe("Пожалуйста, нажмите одну из кнопок.\n\nКакого размера посылка?");
    await person.command("weather");
    expect(person.text()).toContain("Вы в процессе: посылка. Чтобы выйти, отправьте /cancel.");
    await person.edit();
    expect(person.text()).toContain("Исправленные сообщения");
    await person.press("Малая");
    await person.press("box");
    await person.press("Готово");
    await person.send({ kind: "sticker" });
    expect(person.text()).toContain("Пожалуйста, отправьте текстовое сообщение.");
    await person.say("6");
    await person.say("Москва, Тверская 1");
    await person.say("1");
    await person.send({ kind: "video" });
    expect(person.text()).toContain("Здесь нужен файл другого вида.");
    expect(await person.stands()).toBe("Parcel.photo");
  });

  it("is refused when it is a megabyte, and takes no room", async () => {
    const person = await somebody();
    await until(person, "Parcel.address");
    await person.say("а".repeat(1_000_000));
    expect(person.text()).toContain("Это слишком длинно.");
    const idle = await somebody();
    await idle.say("b\u0000".repeat(500_000));
    expect(idle.text()).toContain("Это слишком длинно.");
  });

  it("from nowhere leads home", async () => {
    const person = await somebody();
    await person.command("weather");
    expect(person.text()).toBe("Сейчас ничего не начато.\n\nЧто сделаем?");
  });

  it("makes a handler fail without holding up the chat for ever", async () => {
    const broken = { ...courier(), left: Object.freeze([]) as unknown as string[] };
    const person = await somebody({ services: broken });
    await person.command("parcel");
    await person.command("start");
    for (let round = 0; round < 3; round++) {
      person.clock.advance(10_000);
      await person.dialogs.settle();
    }
    expect(person.text()).toContain("Что-то пошло не так");
    await person.press("Малая");
    expect(await person.stands()).toBe("Parcel.extras");
  });
});

describe("inactivity", () => {
  it("ends the flow with its text when nobody comes", async () => {
    const services = courier();
    const person = await somebody({ services, home: undefined });
    await until(person, "Parcel.extras");
    person.clock.advance(29 * 60_000);
    await person.dialogs.settle();
    expect(await person.stands()).toBe("Parcel.extras");
    person.clock.advance(60_000);
    await person.dialogs.settle();
    expect(person.text()).toBe("Сессия истекла. Начните заново.");
    expect(services.left).toEqual(["expired"]);
  });

  it("is told to those who come too late, whose words begin nothing", async () => {
    const person = await somebody();
    await until(person, "Parcel.address");
    person.clock.advance(31 * 60_000);
    await person.say("Москва, Тверская 1");
    expect(person.text()).toBe("Сессия истекла. Начните заново.\n\nЧто сделаем?");
  });
});

describe("two flows", () => {
  it("ask which one to continue, and the person continues", async () => {
    const person = await somebody();
    await until(person, "Parcel.address");
    await person.command("survey");
    expect(person.text()).toBe("Вы не закончили: посылка. Продолжить или начать: опрос?");
    await person.say("что?");
    expect(person.text()).toContain("Пожалуйста, нажмите одну из кнопок.");
    await person.press("Продолжить");
    expect(person.text()).toBe("Куда везти?");
  });

  it("or starts over, and the former gives back what it held", async () => {
    const services = courier();
    const person = await somebody({ services });
    await until(person, "Parcel.address");
    await person.command("survey");
    await person.press("Начать новое");
    expect(await person.stands()).toBe("Survey.opinion");
    expect(services.left).toEqual(["replaced"]);
  });

  it("or replace one another with a notice, or in silence, as the flow says", async () => {
    const person = await somebody();
    await person.command("survey");
    await person.command("parcel");
    expect(person.text()).toContain("Предыдущий процесс (опрос) прерван. Начинаем: посылка.");
    await person.command("start");
    expect(person.text()).toBe("Что сделаем?");
  });
});

describe("long work", () => {
  it("answers that it is under way, and ends by the result", async () => {
    let finish: (answer: { number: string }) => void = () => {};
    const services = courier(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const person = await somebody({ services });
    await until(person, "Parcel.confirm");
    const working = person.press("Да");
    await expect.poll(() => person.text()).toBe("Заказываю…");
    const other = person.another();
    await other.receive([{ ...person.next(), kind: "text", text: "ну как?" }]);
    await expect
      .poll(async () => {
        await other.settle();
        return person.text();
      })
      .toContain("Уже работаю над этим");
    await other.receive([{ ...person.next(), kind: "command", command: "parcel", argument: "" }]);
    await other.settle();
    expect(await person.stands()).toBe("Parcel.ordering");
    finish({ number: "5" });
    await working;
    expect(person.text()).toBe("Номер 5");
  });

  it("is tried again, then fails with the flow's text and gives back", async () => {
    let tries = 0;
    const services = courier(async () => {
      tries += 1;
      throw new Error("no courier");
    });
    const person = await somebody({ services });
    await until(person, "Parcel.confirm");
    await person.press("Да");
    expect(person.text()).toBe("Заказываю…");
    person.clock.advance(10_000);
    await person.dialogs.settle();
    expect(tries).toBe(2);
    expect(person.text()).toContain("Курьер не отвечает. Попробуйте позже.");
    expect(await person.stands()).toBe("Parcel.confirm");
    expect(services.left).toEqual(["refund"]);
  });

  it("that is refused is not tried again", async () => {
    const person = await somebody({ services: courier(async () => ({ refused: "Туда не возим." })) });
    await until(person, "Parcel.confirm");
    await person.press("Да");
    expect(person.text()).toContain("Туда не возим.");
  });

  it("whose process died is taken over after its lease, and given up after the last attempt", async () => {
    const ids: string[] = [];
    const services = courier(async (id) => {
      ids.push(id);
      throw new Error("first time");
    });
    const person = await somebody({ services });
    await until(person, "Parcel.confirm");
    await person.press("Да");
    // The state after a process died in its second attempt.
    await database.sql`update dialogs.dialogues set work_attempts = 2, work_until = ${new Date(person.clock.now().getTime() + 30_000)} where chat_id = ${person.chatId}`;
    await person.another().settle();
    expect(person.text()).toBe("Заказываю…");
    person.clock.advance(31_000);
    await person.another().settle();
    expect(ids).toHaveLength(1);
    expect(person.text()).toContain("Курьер не отвечает");
  });

  it("that was cancelled comes to nothing", async () => {
    let finish: (answer: { number: string }) => void = () => {};
    const person = await somebody({
      services: courier(
        () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
      ),
    });
    await until(person, "Parcel.confirm");
    const working = person.press("Да");
    await expect.poll(() => person.text()).toBe("Заказываю…");
    const other = person.another();
    await other.receive([{ ...person.next(), kind: "command", command: "cancel", argument: "" }]);
    await expect
      .poll(async () => {
        await other.settle();
        return person.stands();
      })
      .toBe("Menu.menu");
    finish({ number: "5" });
    await working;
    expect(person.text()).toContain("Посылка отменена.");
  });
});

describe("an answer in several messages", () => {
  const words = Array.from({ length: 900 }, (_, index) => `слово${index}`).join(" ");

  it("comes part by part, each once, although the second has to wait", async () => {
    const services: OracleServices = {
      async answer() {
        person.messenger.refusals.push(undefined, { kind: "later", afterMs: 5_000 });
        return words;
      },
    };
    const person = await aPerson({ sql: database.sql, flows: [oracle], services });
    const texts = () => person.messenger.messages(person.chatId).map(({ text }) => text);
    await person.command("ask");
    await person.say("расскажи");
    const before = texts();
    expect(before.at(-1)).toMatch(/^слово0 /);
    person.clock.advance(5_000);
    await person.dialogs.settle();
    expect(texts().slice(0, before.length)).toEqual(before);
    expect(texts().slice(2).join(" ").replace(/\s+/g, " ")).toBe(`${words} Помогло?`);
    expect(person.labels()).toEqual(["Да", "Ещё", "← Назад", "Отмена"]);
  });

  it("whose last draft is under way comes after it", async () => {
    const services: OracleServices = {
      async answer(_, draft) {
        for (const soFar of ["Д", "Да", "Дайте"]) draft(soFar);
        return "Дайте воды.";
      },
    };
    const person = await aPerson({ sql: database.sql, flows: [oracle], services });
    await person.command("ask");
    await person.say("что делать?");
    expect(person.messenger.drafts).toEqual([{ id: expect.any(Number), text: "Д" }]);
    expect(person.messenger.messages(person.chatId).map(({ text }) => text)).toEqual([
      "О чём спросите?",
      "Думаю…",
      "Дайте воды.\n\nПомогло?",
    ]);
  });
});

describe("a restart", () => {
  it.each(steps.map(([state]) => state))("in %s goes on where it was", async (state) => {
    const person = await somebody();
    await until(person, state);
    const revived = person.another();
    await revived.receive([{ ...person.next(), kind: "edited" }]);
    await revived.settle();
    expect(await person.stands()).toBe(state);
    expect(person.text()).toContain("Исправленные сообщения");
  });

  it("between the commit and the screen shows the screen afterwards", async () => {
    const person = await somebody();
    await person.command("parcel");
    person.messenger.refusals.push(new Error("the process died here"));
    await person.press("Малая");
    expect(await person.stands()).toBe("Parcel.extras");
    expect(person.text()).toBe("Какого размера посылка?");
    person.clock.advance(31_000);
    await person.another().settle();
    expect(person.text()).toContain("Что добавить");
  });

  it("into a release without the state asks to start again", async () => {
    const person = await somebody();
    await until(person, "Parcel.address");
    await database.sql`update dialogs.dialogues set state = 'gone' where chat_id = ${person.chatId}`;
    await person.say("Москва");
    expect(person.text()).toBe(
      "Бот обновился, и начатое не удалось продолжить. Начните, пожалуйста, заново.\n\nЧто сделаем?",
    );
  });

  it("brings updates again without effect, and keeps their order", async () => {
    const person = await somebody();
    const first = { ...person.next(), kind: "command" as const, command: "parcel", argument: "" };
    const second = { ...person.next(), kind: "text" as const, text: "малая" };
    await person.receive(second, first, first);
    await person.receive(first, second);
    expect(await person.row()).toMatchObject({ revision: 2, state: "size" });
  });
});

describe("what was said", () => {
  it("is forgotten: updates after two days, the last screen after a month, and an old button then says so", async () => {
    const person = await somebody({ home: undefined });
    await person.command("parcel");
    const { buttons, id } = person.messenger.last(person.chatId);
    await person.command("cancel");
    const stored = async () => {
      const inbox = await database.sql`select 1 from dialogs.inbox where chat_id = ${person.chatId}`;
      return [inbox.length, (await person.row()).screen];
    };
    expect(await stored()).toEqual([2, expect.objectContaining({ text: "Посылка отменена." })]);
    person.clock.advance(49 * 3_600_000);
    await person.another().settle();
    expect(await stored()).toEqual([0, expect.objectContaining({ text: "Посылка отменена." })]);
    person.clock.advance(30 * 24 * 3_600_000);
    await person.another().settle();
    expect(await stored()).toEqual([0, null]);
    await person.pressPayload(buttons[0]?.payload ?? "", id);
    expect(person.messenger.answers.at(-1)?.text).toBe("Эта кнопка с прежнего экрана.");
  });
});

describe("the live message", () => {
  it("is sent again when it was deleted", async () => {
    const person = await somebody();
    await person.command("parcel");
    const { id, buttons } = person.messenger.last(person.chatId);
    person.messenger.lose(person.chatId, id);
    await person.pressPayload(buttons[0]?.payload ?? "", id);
    expect(person.text()).toContain("Что добавить");
    expect(person.messenger.last(person.chatId).id).not.toBe(id);
  });

  it("waits as long as the messenger says", async () => {
    const person = await somebody();
    person.messenger.refusals.push({ kind: "later", afterMs: 5_000 });
    await person.command("parcel");
    expect(person.messenger.messages(person.chatId)).toEqual([]);
    person.clock.advance(5_000);
    await person.dialogs.settle();
    expect(person.text()).toBe("Какого размера посылка?");
  });

  it("is given up in a chat that cannot be written to", async () => {
    const person = await somebody();
    person.messenger.refusals.push({ kind: "never", reason: "blocked" });
    await person.command("parcel");
    expect(await person.row()).toMatchObject({ revision: 1, shown_revision: 1 });
  });
});
