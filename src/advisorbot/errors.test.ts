import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BotHarness, botHarness, type Person } from "../../tests/support/advisor-bot.ts";
import { until } from "../../tests/support/until.ts";
import { projectRoot } from "../kernel/paths/index.ts";

let harness: BotHarness;
beforeAll(async () => {
  harness = await botHarness({
    advisor: { settings: { freeDailyLimit: 2, photoLimit: 1, researchLimit: 1 } },
  });
});
afterAll(() => harness.close());
afterEach(async () => {
  await harness.advisor.twins.control("DELETE", "/faults");
});

const closed = { url: () => "http://127.0.0.1:9", token: "whatever", pausesMs: [1] };
const dataUrl = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const lake = async () =>
  dataUrl("image/jpeg", await readFile(join(projectRoot, "console/public/demo/lake.jpg")));
const voice = {
  file: { kind: "voice", data: dataUrl("audio/ogg", Buffer.from("OggS and what was said in it")) },
};

async function asked(person: Person, text = "Почему он чихает?"): Promise<void> {
  await person.say(text);
  await person.press("Спросить так");
}

describe("when the service", () => {
  // covers advisor: Telegram bot
  it("is away, the question is kept and asked once it is back", async () => {
    await harness.restart({ backend: closed });
    const person = await harness.person();
    await person.say("Почему он чихает?");
    await person.sees("Сервис сейчас не отвечает");
    await harness.restart();
    await person.press("🔄 Повторить");
    await person.press("Спросить так");
    await person.sees("Осталось вопросов сегодня: 1.");
  });

  it("does not know the bot's token, people are told that it is not their fault", async () => {
    await harness.restart({ backend: { ...closed, url: () => harness.advisor.server.url() } });
    const person = await harness.person();
    await person.say("/me");
    await person.sees("сервис его не узнаёт");
    await harness.restart();
    await person.press("🔄 Повторить");
    await person.sees("Ваш тариф: Free.");
  });

  // covers advisor: Telegram bot
  it("wants a pause between questions, it is told how long, and the same question is asked after it", async () => {
    const person = await harness.person();
    await asked(person);
    await person.sees("Осталось вопросов сегодня: 1.");
    await person.say("А если с кровью?");
    await person.sees("нажмите «Повторить» через 25 секунд");
    harness.advisor.clock.advance(26_000);
    await person.press("🔄 Повторить");
    await person.sees("Это был последний вопрос на сегодня");
    expect(await harness.answersOf(person)).toBe(2);
    harness.advisor.clock.advance(26_000);
    await person.say("И ещё?");
    await person.sees("Вопросы на сегодня закончились");
    expect(await person.labels()).toEqual(["⭐️ Открыть Pro", "🏠 В меню"]);
  });

  it("lost the question while it was answered, it is asked again under another id", async () => {
    const person = await harness.person();
    await harness.models({ kind: "delay", ms: 1_000 });
    await asked(person);
    await until("the question is under way", async () => (await requests(person)).length > 0);
    await harness.advisor.call("POST", "/v1/data/delete", {
      user: { telegram_user_id: person.id },
      scope: "all",
    });
    await person.sees("Этот запрос повторить уже нельзя");
    // Deletion is no way around the pause.
    harness.advisor.clock.advance(26_000);
    await person.press("🔄 Повторить");
    await person.sees("Это был последний вопрос на сегодня");
  });

  it("has no model, nothing is charged", async () => {
    const person = await harness.person();
    await harness.advisor.database
      .sql`update llm.llm_policies set enabled = false where key = 'free_default'`;
    await asked(person);
    await person.sees("у него нет доступа к модели");
    await harness.advisor.database.sql`update llm.llm_policies set enabled = true where key = 'free_default'`;
    await person.press("🔄 Повторить");
    await person.sees("Осталось вопросов сегодня: 1.");
  });
});

describe("when the model", () => {
  it("fails, nothing is charged, and the same question may be asked again", async () => {
    const person = await harness.person();
    await harness.models({ kind: "status", status: 400 }, 20);
    await asked(person);
    await person.sees("Ответ не получился, лимит не потрачен");
    await harness.advisor.twins.control("DELETE", "/faults");
    await person.press("🔄 Повторить");
    await person.sees("Осталось вопросов сегодня: 1.");
    expect(await requests(person)).toHaveLength(1);
  });
});

describe("when the bot", () => {
  // covers advisor: Telegram bot
  it("is restarted in the middle of an answer, the person gets it, and it is charged once", async () => {
    const person = await harness.person();
    await harness.models({ kind: "delay", ms: 2_000 });
    await asked(person);
    await until("the question is under way", async () => (await requests(person)).length > 0);
    await harness.restart();
    await person.sees("Осталось вопросов сегодня: 1.");
    expect(await harness.answersOf(person)).toBe(1);
    expect(await requests(person)).toHaveLength(1);
  });

  // covers advisor: Telegram bot
  it("is blocked while it answers, it goes on for others, and for that person once they are back", async () => {
    const person = await harness.person();
    await harness.models({ kind: "delay", ms: 500 });
    await asked(person);
    await person.sees("готовлю ответ");
    await person.block(true);
    await until("the answer was made", async () => (await harness.answersOf(person)) === 1);
    const other = await harness.person();
    await other.say("/start");
    await other.sees("О ком вопрос?");
    await person.block(false);
    await person.say("/start");
    await person.sees("О ком вопрос?");
  });
});

describe("a photo", () => {
  // covers advisor: Telegram bot
  it("is made small before it is sent, and costs one of the month", async () => {
    const person = await harness.person({ plan: "pro" });
    const large = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: "#a0522d" } })
      .jpeg()
      .withExif({ IFD0: { Copyright: "somebody" } })
      .toBuffer();
    await person.send({ photo: dataUrl("image/jpeg", large) }, "Что это на лапе?");
    await person.sees("Тариф Pro");
    const [row] = await harness.advisor.database.sql`
      select m.storage_url from advisor.media_assets m join advisor.users u on u.id = m.user_id
      where u.telegram_user_id = ${person.id}`;
    const stored = await harness.advisor.storage.get(row?.storage_url);
    if (!stored) throw new Error("the photo was not kept");
    const { width, height, format, exif } = await sharp(await buffer(stored.body)).metadata();
    expect({ width, height, format, exif }).toEqual({
      width: 1280,
      height: 640,
      format: "jpeg",
      exif: undefined,
    });
    await person.send({ photo: await lake() });
    await person.sees("Фото на этот месяц закончились");
  });

  it("needs Pro, which Free is told; the same may be asked in words", async () => {
    const person = await harness.person();
    await person.send({ photo: await lake() }, "Что это?");
    await person.sees("Это доступно на Pro");
    await person.say("Что значит красная лапа?");
    await person.press("🐶 Собака");
    await person.sees("Осталось вопросов сегодня: 1.");
  });

  it("of too many pixels is refused with the limits", async () => {
    const person = await harness.person({ plan: "pro" });
    const huge = await sharp({ create: { width: 5000, height: 4400, channels: 3, background: "#fff" } })
      .jpeg()
      .toBuffer();
    await person.send({ photo: dataUrl("image/jpeg", huge) });
    await person.sees("Файл слишком большой");
  });
});

describe("a voice message", () => {
  // covers advisor: Telegram bot
  it("is heard on Pro", async () => {
    const person = await harness.person({ plan: "pro" });
    await person.send(voice);
    await person.sees("Тариф Pro");
    expect(await person.labels()).not.toContain("🔬 Глубокий разбор");
  });

  it("is for Pro, which Free is told", async () => {
    const person = await harness.person();
    await person.send(voice);
    await person.sees("Это доступно на Pro");
  });

  it.each(["audio", "video", "document"])("of another kind, such as %s, is refused kindly", async (kind) => {
    const person = await harness.person();
    await person.say("/start");
    await person.sees("О ком вопрос?");
    await person.send({ file: { kind, data: dataUrl("application/octet-stream", Buffer.from("bytes")) } });
    await person.sees("Такое я пока не понимаю");
  });
});

it("a month's research that is used up is told, and a plain question still goes", async () => {
  const person = await harness.person({ plan: "pro" });
  await person.say("Почему он чихает?");
  await person.press("🔬 Глубокий разбор");
  await until("the research is answered", async () => (await harness.answersOf(person)) === 2);
  await person.rests();
  await person.say("А если с кровью?");
  await person.press("🔬 Глубокий разбор");
  await person.sees("Глубокие разборы на этот месяц закончились");
});

function requests({ id }: Person) {
  return harness.advisor.database.sql`
    select d.request_id, d.status from advisor.request_dedup d join advisor.users u on u.id = d.user_id
    where u.telegram_user_id = ${id} and d.route = 'chat/ask'`;
}
