import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BotHarness, botHarness } from "../../tests/support/advisor-bot.ts";
import { until } from "../../tests/support/until.ts";

let harness: BotHarness;
beforeAll(async () => {
  harness = await botHarness({
    advisor: { settings: { cooldownSec: 0 } },
    bot: { proContact: "@tail_support" },
  });
});
afterAll(() => harness.close());

const sessionOf = async (id: number) => {
  const [row] = await harness.advisor.database.sql`
    select s.session_context as context from advisor.sessions s join advisor.users u on u.id = s.user_id
    where u.telegram_user_id = ${id}`;
  return row?.context;
};

describe("somebody who comes for the first time", () => {
  it("is greeted without a word to the service", async () => {
    const person = await harness.person({ agreed: false });
    await person.say("/start");
    await person.sees("О ком вопрос?");
    await person.say("/help");
    await person.sees("не заменяю ветеринара");
    const known = await harness.advisor.database
      .sql`select from advisor.users where telegram_user_id = ${person.id}`;
    expect(known).toHaveLength(0);
  });

  // covers advisor: Telegram bot
  it("agrees, tells whom it is about, and is answered with what is left of the day", async () => {
    const person = await harness.person({ agreed: false });
    await person.say("/start");
    await person.press("🐱 Кошка");
    await person.sees("Прежде чем начать, два условия");
    await person.press("✅ Согласен, продолжаем");
    await person.press("🍲 Питание и уход");
    await person.sees("Расскажите о питомце");
    await person.say("мейн-кун, 3 года, мальчик");
    await person.sees("Ваш вопрос");
    await person.say("Чем кормить летом?");
    await person.sees("Осталось вопросов сегодня: 2.");
    expect(await sessionOf(person.id)).toMatchObject({
      scenario: "care",
      pet_snapshot: { type: "cat", owner_note: "мейн-кун, 3 года, мальчик" },
      last_turns: [{ role: "user", text: "Чем кормить летом?" }, { role: "assistant" }],
    });
  });

  it("who does not agree is asked nothing more, and nothing is charged", async () => {
    const person = await harness.person({ agreed: false });
    await person.say("Почему кот чихает?");
    await person.press("Нет");
    await person.sees("Без согласия вопросы я не принимаю");
    expect(await harness.answersOf(person)).toBe(0);
  });

  it("is spoken to in English when their Telegram is", async () => {
    const person = await harness.person({ language: "en-GB" });
    await person.say("/start");
    await person.press("🐶 Dog");
    await person.press("🍲 Food and care");
    await person.press("Skip");
    await person.say("How often should I feed a puppy?");
    await person.sees("Questions left today: 2.");
  });
});

describe("a question", () => {
  // covers advisor: Telegram bot
  it("out of nowhere is kept until it is known whom it is about, and then asked once", async () => {
    const person = await harness.person();
    await person.say("Почему он чихает?");
    await person.sees("Записал вопрос:\n«Почему он чихает?»");
    expect(await harness.answersOf(person)).toBe(0);
    await person.say("кот, 4 года");
    await person.sees("Осталось вопросов сегодня: 2.");
    expect(await sessionOf(person.id)).toMatchObject({
      pet_snapshot: { owner_note: "кот, 4 года" },
      last_turns: [{ text: "Почему он чихает?" }, {}],
    });
  });

  it("goes on in the same talk without being asked for anything again", async () => {
    const person = await harness.person();
    await person.say("Почему он чихает?");
    await person.press("Спросить так");
    await person.sees("Осталось вопросов сегодня: 2.");
    await person.say("А если с кровью?");
    await person.sees("Осталось вопросов сегодня: 1.");
    expect((await sessionOf(person.id)).last_turns).toHaveLength(4);
  });

  it("that describes an emergency is answered at once, before consent and whom it is about", async () => {
    const stranger = await harness.person({ agreed: false });
    await stranger.say("/start");
    await stranger.sees("О ком вопрос?");
    await stranger.say("Собака без сознания, помогите!");
    const aid = await stranger.sees("позвоните в ближайшую круглосуточную ветклинику");
    expect(aid.text).toContain("Уложите на правый бок");
    expect(await harness.answersOf(stranger)).toBe(0);
    const consent = await stranger.sees("Прежде чем начать, два условия");
    const order = (await stranger.messages()).map(({ id }) => id);
    expect(order.indexOf(aid.id)).toBeLessThan(order.indexOf(consent.id));
    await stranger.press("✅ Согласен, продолжаем");
    // Nobody is asked for a breed now.
    await stranger.sees("Это срочно: позвоните в клинику и поезжайте.");
    expect(await harness.answersOf(stranger)).toBe(1);
  });

  it.each(["🐱 Кошка", "🍲 Питание и уход"])("is understood where “%s” was asked for", async (label) => {
    const person = await harness.person();
    await person.say("/ask");
    await person.sees("О ком вопрос?");
    if (label === "🍲 Питание и уход") {
      await person.press("🐱 Кошка");
      await person.sees("С чем помочь?");
    }
    expect(await person.labels()).toContain(label);
    await person.say("Почему он чихает?");
    if (label === "🐱 Кошка") await person.press("Спросить так");
    await person.sees("Осталось вопросов сегодня: 2.");
    expect(await harness.answersOf(person)).toBe(1);
  });

  it("is understood on the card, in the profile and while the terms are shown", async () => {
    const pro = await harness.person({ plan: "pro" });
    await pro.say("/me");
    await pro.sees("Ваш тариф: Pro.");
    await pro.say("Почему он чихает?");
    await pro.sees("Тариф Pro, вопросы без лимита.");

    const stranger = await harness.person({ agreed: false });
    await stranger.say("/ask");
    await stranger.sees("Прежде чем начать, два условия");
    await stranger.say("Почему он чихает?");
    await stranger.sees("Вопрос я записал и отвечу на него, как только Вы согласитесь.");
    await stranger.press("✅ Согласен, продолжаем");
    await stranger.sees("Записал вопрос:\n«Почему он чихает?»");
  });

  it("that is the last of the day ends with when there are more, and the next one hears it too", async () => {
    const person = await harness.person();
    for (const left of ["Осталось вопросов сегодня: 2.", "Осталось вопросов сегодня: 1."]) {
      await person.say("Почему кот чихает?");
      if (left.includes("2")) await person.press("🐱 Кошка");
      await person.sees(left);
    }
    await person.say("А вечером?");
    const last = await person.sees("Это был последний вопрос на сегодня");
    expect(last.text).not.toContain("уточнить");
    await person.say("А утром?");
    const refused = await person.sees("Вопросы на сегодня закончились. Новые появятся через");
    expect(refused.text).toMatch(/через \d+ (час|часа|часов|минут|минуты|минуту)/);
  });

  // covers advisor: Telegram bot
  it("asked by a double tap, or by an update that comes twice, is answered and charged once", async () => {
    const person = await harness.person();
    await person.say("Почему он чихает?");
    await person.press("Спросить так", 2);
    await person.sees("Осталось вопросов сегодня: 2.");
    expect(await harness.answersOf(person)).toBe(1);
  });

  // covers advisor: Telegram bot
  it("while another is being answered is told to wait, and typing is shown", async () => {
    const person = await harness.person();
    await harness.models({ kind: "delay", ms: 1_500 });
    await person.say("Почему он чихает?");
    await person.press("Спросить так");
    await person.sees("готовлю ответ");
    await person.say("Ну что?");
    await person.sees("Уже работаю над этим");
    await person.say("/menu");
    await person.sees("Осталось вопросов сегодня: 2.");
    expect(await harness.answersOf(person)).toBe(1);
    const typed = await harness.calls("telegram", "sendChatAction");
    expect(JSON.stringify(typed)).toContain(String(person.id));
  });

  it("is forgotten by the bot after an hour of silence", async () => {
    const person = await harness.person();
    await person.say("Почему он чихает?");
    await person.sees("Записал вопрос");
    harness.advisor.clock.advance(61 * 60_000);
    // The clock is moved behind the bot's back: somebody else's message lets it look at the time again.
    await (await harness.person()).say("/start");
    await person.sees("Прошёл час без сообщений");
    const [row] = await harness.advisor.database.sql`
      select data::text from dialogs.dialogues where chat_id = ${String(person.id)}`;
    expect(row?.data).not.toContain("чихает");
  });
});

describe("what the bot offers", () => {
  it("is told of once: the screen that describes Pro adds only how to get it", async () => {
    const person = await harness.person();
    await person.say("/help");
    await person.press("⭐️ Открыть Pro");
    const { text } = await person.sees("Подключить: @tail_support");
    expect(text.split("карточка питомца")).toHaveLength(2);
  });

  it("is not cancelled: in the menu there is nothing to cancel, and an unknown command is only that", async () => {
    const person = await harness.person();
    await person.say("/start");
    await person.sees("О ком вопрос?");
    await person.say("/cancel");
    await person.sees("Отменять нечего.");
    await person.say("/frobnicate");
    await person.sees("Такой команды нет. Вот что я умею.");
    await person.say("/pet");
    await person.sees("Карточка питомца доступна на Pro");
    await person.say("/frobnicate");
    const { text } = await person.sees("Такой команды нет.\n\nКарточка");
    expect(text).not.toContain("умею");
  });

  it("is Pro after the first answer, with the owner's contact, and at most once a day", async () => {
    const person = await harness.person();
    await person.say("Почему он чихает?");
    await person.press("Спросить так");
    await person.sees("Осталось вопросов сегодня: 2.");
    await person.press("⭐️ Открыть Pro");
    await person.sees("Подключить: @tail_support");
    await person.say("А если с кровью?");
    await person.sees("Осталось вопросов сегодня: 1.");
    expect(await person.labels()).not.toContain("⭐️ Открыть Pro");
  });

  it("is research on Pro, once for each question", async () => {
    const person = await harness.person({ plan: "pro" });
    await person.say("Почему он чихает?");
    await person.sees("Тариф Pro, вопросы без лимита.");
    await person.press("🔬 Глубокий разбор");
    await until("the research is answered", async () => (await harness.answersOf(person)) === 2);
    await person.rests();
    expect(await person.labels()).not.toContain("🔬 Глубокий разбор");
    const [user] = await harness.advisor.database.sql`
      select research_used from advisor.users where telegram_user_id = ${person.id}`;
    expect(user?.research_used).toBe(1);
  });
});

describe("somebody's own data", () => {
  it("are told: plan, what is left, and the history of Pro", async () => {
    const free = await harness.person();
    await free.say("/me");
    await free.sees("Ваш тариф: Free.");
    await free.press("🕘 Прошлые обращения");
    await free.sees("Прошлые обращения доступны на Pro");

    const pro = await harness.person({ plan: "pro" });
    await pro.say("/history");
    await pro.sees("Прошлых обращений пока нет.");
    await pro.say("/ask");
    await pro.press("🐱 Кошка");
    await pro.press("💉 Прививки и профилактика");
    await pro.press("Пропустить");
    await pro.say("Когда прививать котёнка?");
    await pro.sees("Тариф Pro, вопросы без лимита.");
    await pro.say("А взрослую кошку?");
    await until("the second answer is read", async () => {
      const answers = (await pro.messages()).filter(({ text }) => text.includes("вопросы без лимита"));
      return answers.length === 2;
    });
    await pro.say("/history");
    const { text } = await pro.sees("Прошлые обращения:");
    expect(text).toContain("Когда прививать котёнка");
    expect(text).toContain("А взрослую кошку");
    expect(text, "words, not what the model was given").not.toMatch(/[{}"]/);
  });

  // covers advisor: Telegram bot
  it("are deleted once they say yes, and not before", async () => {
    const person = await harness.person({ plan: "pro" });
    const rows = () =>
      harness.advisor.database.sql`select from advisor.users where telegram_user_id = ${person.id}`;
    await person.say("/delete");
    await person.press("Нет, оставить");
    await person.sees("О ком вопрос?");
    expect(await rows()).toHaveLength(1);
    await person.say("/delete");
    await person.press("Да, удалить всё");
    await person.sees("Готово, всё удалено.");
    expect(await rows()).toHaveLength(0);
  });
});
