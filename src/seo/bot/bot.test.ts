import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../tests/support/seo-bot.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterAll(() => harness.close());

describe("somebody who comes for the first time", () => {
  it("is welcomed with tokens and creates a project with four answers", async () => {
    const person = await harness.person();
    await person.say("/start");
    await person.sees("У вас пока нет проектов");
    expect(await person.balance()).toBe(1500);
    await person.press("Мои проекты");
    await person.press("Создать проект");
    await person.sees("Новый проект (1/4)");
    await person.say("Ч");
    await person.sees("Введите название от 2 до 100 символов");
    await person.say("Чайная");
    await person.sees("(2/4)");
    await person.say("Два листа");
    await person.sees("(3/4)");
    await person.say("весовой чай и посуда");
    await person.sees("(4/4)");
    await person.press("Пропустить");
    await person.sees("Проект «Чайная» создан!");
    expect(await person.stands()).toMatch(/^screen:project:\d+:card$/);
  });
});
