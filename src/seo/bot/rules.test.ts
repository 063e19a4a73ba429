import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../tests/support/seo-bot.ts";
import { until } from "../../../tests/support/until.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterAll(() => harness.close());

async function userOf({ id }: SeoPerson) {
  const [user] = await harness.sql<
    { language: string; referrer_id: number | null; last_activity: Date; role: string }[]
  >`select language, referrer_id, last_activity, role from seo.users where id = ${id}`;
  return user;
}

async function started(argument = ""): Promise<SeoPerson> {
  const person = await harness.person();
  await person.say(`/start${argument && ` ${argument}`}`);
  await person.screen();
  return person;
}

const creating = async () => {
  const person = await started();
  await person.press("Мои проекты");
  await person.press("Создать проект");
  await person.sees("(1/4)");
  return person;
};

describe("registration", () => {
  // covers seo: F01
  it("gives the tokens once and notes whoever recommended the bot, at the first contact only", async () => {
    const friend = await started();
    const person = await started(`ref_${friend.id}`);
    expect(await userOf(person)).toMatchObject({ language: "ru", referrer_id: friend.id, role: "user" });
    expect(await person.balance()).toBe(1_500);
    const other = await started();
    await person.say(`/start ref_${other.id}`);
    await person.screen();
    expect((await userOf(person))?.referrer_id).toBe(friend.id);
    expect(await person.balance()).toBe(1_500);
  });

  it("does not take oneself, a stranger or nonsense for a referrer", async () => {
    const own = await harness.person();
    await own.say(`/start ref_${own.id}`);
    await own.screen();
    const odd = await Promise.all(["ref_999999999", "ref_-5", "ref_1e3", "ref_"].map(started));
    for (const person of [own, ...odd]) expect((await userOf(person))?.referrer_id).toBeNull();
  });

  it("every update tells when the person was there last", async () => {
    const person = await started();
    await harness.sql`update seo.users set last_activity = '2020-01-01' where id = ${person.id}`;
    await person.say("Добрый день");
    await person.screen();
    const wrote = (await userOf(person))?.last_activity;
    expect(wrote?.getFullYear()).toBeGreaterThan(2020);
    await person.tap("dashboard");
    expect((await userOf(person))?.last_activity.getTime()).toBeGreaterThan(wrote?.getTime() ?? 0);
  });
});

it("more than thirty updates in a minute are dropped without a word", async () => {
  const person = await harness.person({ hurried: true });
  await person.say("/start");
  for (let each = 1; each < 30; each++) await person.say("/help");
  await person.screen();
  const before = (await person.messages()).filter(({ author }) => author.bot).length;
  for (let each = 0; each < 10; each++) await person.say("/start");
  await person.screen();
  expect((await person.messages()).filter(({ author }) => author.bot)).toHaveLength(before);
  const other = await started();
  expect((await other.messages()).length).toBeGreaterThan(0);
});

it("a person who blocked the bot and comes back is answered as before", async () => {
  const person = await started();
  await harness.control("PATCH", `/telegram/chats/${person.id}`, { block: true });
  await until("the bot knows", async () => {
    const [row] =
      await harness.sql`select from dialogs.dialogues where chat_id = ${String(person.id)} and blocked_at is not null`;
    return row !== undefined;
  });
  const before = (await person.messages()).length;
  await harness.control("PATCH", `/telegram/chats/${person.id}`, { block: false });
  await person.say("/start");
  await until("the bot answers", async () => (await person.messages()).length > before);
  expect(await person.stands()).toBe("screen:dashboard");
  expect(await person.balance()).toBe(1_500);
});

describe("in the middle of a flow", () => {
  it("a photo where words are asked for is refused, and the question repeated", async () => {
    const person = await creating();
    await person.send({ file: { kind: "voice", data: "data:audio/ogg;base64,T2dnUw==" } });
    const said = await person.sees("Пожалуйста, отправьте текстовое сообщение");
    expect(said.text).toContain("(1/4)");
  });

  it("another command names what is under way, also one that opens a screen", async () => {
    const person = await creating();
    for (const command of ["/settings", "/help"]) {
      await person.say(command);
      await person.sees("Вы в процессе «новый проект». Отправьте /cancel для отмены");
      expect(await person.stands()).toBe("ProjectCreate.name");
    }
  });

  it("that may be left freely, another command names it, too: nothing typed next goes astray", async () => {
    const person = await started();
    await person.press("Написать статью на сайт");
    for (const command of ["/settings", "/help"]) {
      await person.say(command);
      await person.sees("Вы в процессе «статья на сайт». Отправьте /cancel для отмены");
      expect(await person.stands()).toBe("ArticlePipeline.create_project_name");
    }
  });

  it("/cancel returns to the menu from which it was begun", async () => {
    const person = await creating();
    await person.say("/cancel");
    const { text } = await person.screen();
    // Nothing was answered, so nothing is kept.
    expect(text).toContain("Хорошо, отменено.");
    expect(await person.stands()).toBe("screen:page:projects:1");
  });

  it("/start leaves it for the main menu, and what was answered is offered again", async () => {
    const person = await creating();
    await person.say("Чайная");
    await person.sees("(2/4)");
    await person.say("/start");
    await until("the menu is there", async () => (await person.stands()) === "screen:dashboard");
    await person.press("Мои проекты");
    await person.press("Создать проект");
    await person.sees("Уже есть: Чайная");
    expect(await person.labels()).toEqual(["Продолжить", "Начать заново", "Отменить"]);
    await person.press("Продолжить");
    expect(await person.stands()).toBe("ProjectCreate.company_name");
  });

  it("half an hour of silence ends it with a word", async () => {
    const person = await creating();
    await person.fallSilent();
    await person.sees("Сессия истекла. Начните заново");
    expect(await person.stands()).toBe("screen:dashboard");
  });

  // covers seo: E13
  it("a button of an earlier screen says what is under way", async () => {
    const person = await creating();
    await person.tap("1.nothing");
    const { callback } = await lastAnswer();
    expect(callback).toContain("Вы уже в процессе «новый проект»");
  });
});

it("a handler that fails says so and loses nothing", async () => {
  const person = await creating();
  await harness.sql`alter table seo.projects rename to projects_away`;
  try {
    for (const answer of ["Чайная", "Два листа", "весовой чай и посуда"]) {
      await person.say(answer);
      await person.screen();
    }
    await person.press("Пропустить");
    await person.sees("Произошла ошибка. Попробуйте позже.");
  } finally {
    await harness.sql`alter table seo.projects_away rename to projects`;
  }
  expect(await person.stands()).toBe("ProjectCreate.website_url");
  await person.press("Пропустить");
  await person.sees("Проект «Чайная» создан!");
});

/** What the last tap was answered. */
async function lastAnswer(): Promise<{ callback: string }> {
  const { entries } = await harness.control<{
    entries: { method: string; request?: { body?: { text?: string } } }[];
  }>("GET", "/journal?provider=telegram&method=answerCallbackQuery");
  return { callback: JSON.stringify(entries.at(-1)) };
}
