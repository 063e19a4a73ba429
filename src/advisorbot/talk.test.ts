import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BotStand, botStand } from "../../tests/support/advisor-bot.ts";

let stand: BotStand;
beforeAll(async () => {
  stand = await botStand({ advisor: { settings: { cooldownSec: 0 } } });
});
afterAll(() => stand.close());

describe("somebody who comes for the first time", () => {
  it("is greeted without asking the service, agrees, tells whom it is about, and is answered with what is left", async () => {
    const person = await stand.person({ agreed: false });
    await person.say("/start");
    await person.sees("О ком вопрос?");
    await person.press("🐱 Кошка");
    await person.sees("Прежде чем начать, два условия");
    await person.press("✅ Согласен, продолжаем");
    await person.sees("С чем помочь?");
    await person.press("🍲 Питание и уход");
    await person.sees("Расскажите о питомце");
    await person.say("мейн-кун, 3 года, мальчик");
    await person.sees("Ваш вопрос");
    await person.say("Чем кормить летом?");
    await person.sees("Осталось вопросов сегодня: 2.");
    const [row] = await stand.advisor.database.sql`
      select s.session_context from advisor.sessions s join advisor.users u on u.id = s.user_id
      where u.telegram_user_id = ${person.id}`;
    expect(row?.session_context).toMatchObject({
      scenario: "care",
      pet_snapshot: { type: "cat", owner_note: "мейн-кун, 3 года, мальчик" },
      last_turns: [{ role: "user", text: "Чем кормить летом?" }, { role: "assistant" }],
    });
  });
});
