import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BotHarness, botHarness, type Person } from "../../tests/support/advisor-bot.ts";

let harness: BotHarness;
beforeAll(async () => {
  harness = await botHarness();
});
afterAll(() => harness.close());

const kept = async ({ id }: Person) =>
  (await harness.advisor.call("GET", `/v1/pets/active?telegram_user_id=${id}`)).body.pet?.profile;

async function aPet(given: Record<string, unknown> = {}): Promise<Person> {
  const person = await harness.person({ plan: "pro" });
  await harness.advisor.call("POST", "/v1/pets/upsert", {
    user: { telegram_user_id: person.id },
    pet: { type: "dog", name: "Ричи", age_text: "5 лет", breed: "шпиц", ...given },
  });
  await person.say("/pet");
  await person.sees("Ричи · Собака");
  return person;
}

describe("the card of a pet", () => {
  it("is for Pro, which somebody on Free is told with a way to get it", async () => {
    const person = await harness.person();
    await person.say("/pet");
    await person.sees("Карточка питомца доступна на Pro");
    expect(await person.labels()).toContain("⭐️ Открыть Pro");
  });

  it("takes no cry for help for a name, and tells what to do at once", async () => {
    const person = await harness.person({ plan: "pro" });
    await person.say("/pet");
    await person.press("Начнём");
    await person.press("Собака");
    await person.sees("Как зовут?");
    await person.say("Собака подавилась костью и не дышит");
    await person.sees("позвоните в ближайшую круглосуточную ветклинику");
    await person.sees("В карточку это не записал");
    await person.say("Рекс");
    await person.sees("Сколько лет?");
  });

  // covers advisor: Telegram bot
  it("begins with a questionnaire that saves itself", async () => {
    const person = await harness.person({ plan: "pro" });
    await person.say("/pet");
    await person.press("Начнём");
    await person.press("Другой");
    await person.sees("Как зовут?");
    await person.say("Хома");
    await person.sees("Сколько лет?");
    await person.say("8 месяцев");
    await person.press("Мальчик");
    await person.sees("стерилизация");
    await person.press("Пропустить");
    await person.sees("Какое это животное?");
    await person.say("хомяк");
    await person.sees("Сколько весит");
    await person.say("тяжёлый");
    await person.sees("Нужно одно число");
    await person.say("около 0,12 кг");
    await person.sees("Хома · Другой");
    expect(await kept(person)).toMatchObject({
      ...{
        type: "other",
        name: "Хома",
        age_text: "8 месяцев",
        sex: "male",
        animal_kind: "хомяк",
        weight_kg: 0.12,
      },
    });
  });

  it("shows a little, and everything when asked", async () => {
    const person = await aPet({ sex: "male" });
    await person.press("Показать всё");
    await person.press("Скрыть");
    await person.press("❓ Спросить о питомце");
    await person.press("🍲 Питание и уход");
    await person.sees("Можно прислать фото или голосовое");
    await person.say("Чем кормить?");
    await person.sees("Тариф Pro");
    const [row] = await harness.advisor.database.sql`
      select i.pet_id from advisor.interactions i join advisor.users u on u.id = i.user_id
      where u.telegram_user_id = ${person.id}`;
    expect(row?.pet_id).not.toBeNull();
  });

  it("is changed when the changes are saved; what is skipped stays", async () => {
    const person = await aPet();
    await person.press("✏️ Изменить");
    await person.press("Кличка");
    await person.press("Пропустить");
    await person.press("Здоровье");
    await person.press("Аллергия");
    await person.say("на курицу");
    await person.press("Готово");
    await person.press("Прививки");
    await person.press("Частично");
    await person.say("только бешенство");
    await person.press("Условия жизни");
    await person.press("Квартира");
    await person.press("Часто");
    await person.press("Сухой корм");
    await person.press("Умеренно");
    await person.sees("Сколько прогулок в день?");
    await person.say("2");
    await person.sees("Есть несохранённые изменения");
    expect(await kept(person)).not.toHaveProperty("health");
    await person.press("💾 Сохранить");
    await person.sees("Сохранено.");
    expect(await kept(person)).toMatchObject({
      ...{ name: "Ричи", breed: "шпиц", health: { notes_by_tag: { allergy: "на курицу" } } },
      vaccines: { status: "partial", details: "только бешенство" },
      lifestyle: { housing: "apartment", diet_type: "dry", walks_per_day: 2 },
    });
  });

  // covers advisor: Telegram bot
  it("asks whether to save changes", async () => {
    const person = await aPet();
    await person.press("✏️ Изменить");
    await person.press("Возраст");
    await person.say("6 лет");
    await person.sees("Есть несохранённые изменения");
    await person.press("Готово");
    await person.sees("Сохранить изменения?");
    expect(await person.labels()).toEqual(["💾 Сохранить", "Не сохранять", "Вернуться к карточке"]);
    await person.press("Вернуться к карточке");
    await person.press("Готово");
    await person.press("Не сохранять");
    await person.sees("Ричи · Собака");
    expect(await kept(person)).toMatchObject({ age_text: "5 лет" });
  });

  it("loses one field when one field is cancelled, and everything only when told so", async () => {
    const person = await aPet();
    await person.press("✏️ Изменить");
    await person.press("Возраст");
    await person.say("6 лет");
    await person.sees("Есть несохранённые изменения");
    await person.press("Порода");
    await person.press("Отмена");
    await person.press("💾 Сохранить");
    await person.sees("Сохранено.");
    expect(await kept(person)).toMatchObject({ age_text: "6 лет", breed: "шпиц" });

    await person.press("✏️ Изменить");
    await person.press("Возраст");
    await person.say("7 лет");
    await person.sees("Есть несохранённые изменения");
    await person.say("/cancel");
    await person.press("Вернуться к карточке");
    await person.press("💾 Сохранить");
    await person.sees("Возраст: 7 лет");
    expect(await kept(person)).toMatchObject({ age_text: "7 лет" });
  });

  it("saved by a double tap is saved once", async () => {
    const person = await aPet();
    await person.press("✏️ Изменить");
    await person.press("Возраст");
    await person.say("6 лет");
    await person.sees("Есть несохранённые изменения");
    await person.press("💾 Сохранить", 2);
    await person.sees("Сохранено.");
    const saves = await harness.advisor.database.sql`
      select from advisor.request_dedup d join advisor.users u on u.id = d.user_id
      where u.telegram_user_id = ${person.id} and d.route = 'pets/active/save'`;
    expect(saves).toHaveLength(1);
  });

  it("is deleted with all that belongs to it, once they say yes", async () => {
    const person = await aPet();
    await person.press("Показать всё");
    await person.press("🗑 Удалить питомца");
    await person.press("Нет, оставить");
    await person.press("🗑 Удалить питомца");
    await person.press("Да, удалить");
    await person.sees("Карточка удалена.");
    expect(await kept(person)).toBeUndefined();
  });
});
