import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { until } from "../../../../tests/support/until.ts";
import { createLedger } from "../../../billing/index.ts";
import { systemClock } from "../../../kernel/clock/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { readReviews } from "../../categories/lists.ts";
import { aCategory } from "../../testing/builders.ts";

const administrator = 910_777;
let harness: SeoBotHarness;
beforeAll(async () => {
  const environment = { SEO_REVIEWS: "on", ADMIN_ID: String(administrator) };
  harness = await startSeoBot({ business: false, environment });
});
afterAll(() => harness.close());
afterEach(() => harness.control("DELETE", "/faults"));

const whoseIs = ({ id }: SeoPerson) => ({ workspaceId: harness.workspaceId, userId: id });

/** Somebody with a category. */
async function anOwner(given: Parameters<SeoBotHarness["person"]>[0] = {}) {
  const person = await harness.person(given);
  await person.say("/start");
  await person.screen();
  return { person, id: await aCategory(harness.sql, whoseIs(person)) };
}

/** Leaves somebody with so many tokens. */
async function spend(person: SeoPerson, left: number): Promise<void> {
  const { workspaceId, userId } = whoseIs(person);
  const tokens = (await person.balance()) - left;
  const hold = {
    workspaceId,
    userId,
    run: `spent-${userId}-${left}`,
    step: "text",
    operation: "text_generation",
    tokens,
  };
  expect(await createLedger(harness.sql, systemClock).hold(hold)).toMatchObject({ ok: true });
}

/** The buttons of what is shown, once everything is. */
async function labelsOf(person: SeoPerson): Promise<string[]> {
  return (await person.screen()).buttons.flat().map(({ text }) => text);
}

async function answer(person: SeoPerson, words: string): Promise<string> {
  await person.say(words);
  return (await person.screen()).text;
}

async function reaches(person: SeoPerson, place: string): Promise<string> {
  await until(`the talk reaches ${place}`, async () => (await person.stands()) === place);
  return (await person.screen()).text;
}

const modelFails = () =>
  harness.control("POST", "/faults", {
    ...{ provider: "openrouter", fault: { kind: "status", status: 500 }, times: 100 },
  });

describe("a description", () => {
  it("is confirmed with its price, reviewed and saved, and the receipt says what it cost", async () => {
    const { person, id } = await anOwner();
    await person.tap(`category:${id}:description`);
    expect((await person.screen()).text).toContain("Описания пока нет.");
    await person.press("Сгенерировать AI (20 токенов)");
    expect(await person.stands()).toBe("DescriptionGenerate.confirm");
    const question = (await person.screen()).text;
    expect(question).toMatch(/Стоимость: 20 токенов\. Баланс: 1\s500 токенов\./);
    expect(await answer(person, "да")).toContain("нажмите одну из кнопок");
    expect(await labelsOf(person)).toEqual(["Да, сгенерировать", "Отмена"]);
    await person.press("Да, сгенерировать");
    expect(await reaches(person, "DescriptionGenerate.review")).toContain("Вот что получилось. Сохранить?");
    expect(await labelsOf(person)).toEqual([
      ...["Сохранить", "Перегенерировать (бесплатно, осталось 2)", "Отмена"],
    ]);
    expect(await person.balance()).toBe(1480);
    await person.press("Сохранить");
    const saved = (await person.screen()).text;
    expect(saved).toContain("Описание сохранено.");
    expect(saved).toContain("Списано: 20 токенов");
    expect(await person.stands()).toBe(`screen:category:${id}:description`);
    expect((await readCategory(harness.sql, whoseIs(person), id)).description).toMatch(/\S{3}/);
    await person.press("Удалить описание");
    await person.press("Да, удалить");
    expect((await person.screen()).text).toContain("Описание удалено.");
    expect((await readCategory(harness.sql, whoseIs(person), id)).description).toBeNull();
  });

  // covers seo: E10
  it("is written anew twice for nothing, then for its price, which is said when it cannot be paid", async () => {
    const { person, id } = await anOwner();
    await person.tap(`category:${id}:description:generate`);
    await person.press("Да, сгенерировать");
    await reaches(person, "DescriptionGenerate.review");
    for (const label of [
      "Перегенерировать (бесплатно, осталось 2)",
      "Перегенерировать (бесплатно, осталось 1)",
    ]) {
      await person.press(label);
      await until("it is written anew", async () => !(await labelsOf(person)).includes(label));
      await reaches(person, "DescriptionGenerate.review");
    }
    expect(await person.balance()).toBe(1480);
    await spend(person, 5);
    await person.press("Перегенерировать (20 ток.)");
    expect((await person.screen()).text).toContain("Перегенерация стоит ~20 токенов, у вас 5.");
    expect(await labelsOf(person)).toEqual([
      "Сохранить",
      "Перегенерировать (20 ток.)",
      "Пополнить",
      "Отмена",
    ]);
    await person.press("Отмена");
    expect((await person.screen()).text).toContain("Токены возвращены.");
    expect(await person.balance()).toBe(25);
  });

  // covers seo: E01
  it("that cannot be paid leads to the tariffs or to one's own words", async () => {
    const { person, id } = await anOwner();
    await spend(person, 19);
    await person.tap(`category:${id}:description:generate`);
    expect((await person.screen()).text).toContain("Недостаточно токенов. Нужно 20, у вас 19.");
    expect(await labelsOf(person)).toEqual(["Пополнить", "Написать вручную", "Отмена"]);
    await person.press("Написать вручную");
    expect(await person.stands()).toBe("DescriptionGenerate.manual");
    const fault = "от 10 до 2000 символов";
    expect(await answer(person, "коротко")).toContain(fault);
    expect(await answer(person, "о".repeat(2001))).toContain(fault);
    expect(await answer(person, "Кухни из дуба на заказ")).toContain("Описание сохранено.");
    expect(await person.balance()).toBe(19);
    await person.tap(`category:${id}:description:generate`);
    await person.press("Пополнить");
    expect(await person.stands()).toBe("screen:tariffs");
  });

  it("that fails or is stopped returns its tokens and asks again", async () => {
    const { person, id } = await anOwner();
    await modelFails();
    await person.tap(`category:${id}:description:generate`);
    await person.press("Да, сгенерировать");
    await person.sees("Не удалось написать описание. Токены возвращены.");
    expect(await person.stands()).toBe("DescriptionGenerate.confirm");
    expect(await person.balance()).toBe(1500);
    await harness.control("DELETE", "/faults");
    await harness.control("POST", "/faults", {
      ...{ provider: "openrouter", fault: { kind: "delay", ms: 3_000 }, times: 1 },
    });
    await person.press("Да, сгенерировать");
    await reaches(person, "DescriptionGenerate.generating");
    await person.press("Отмена");
    await person.sees("Остановлено. Токены возвращены.");
    await until("the tokens are back", async () => (await person.balance()) === 1500);
  });

  it("that was left unsaved waits on the category's screen, and /cancel gives it up", async () => {
    const { person, id } = await anOwner();
    await person.tap(`category:${id}:description:generate`);
    await person.press("Да, сгенерировать");
    await reaches(person, "DescriptionGenerate.review");
    await person.tap("dashboard");
    expect((await person.screen()).text).toContain("Предыдущий процесс (описание категории) прерван.");
    await person.tap(`category:${id}:description`);
    await person.press("Посмотреть готовый вариант");
    await reaches(person, "DescriptionGenerate.review");
    await person.say("/cancel");
    await person.sees("Хорошо, отменено.");
    expect(await person.balance()).toBe(1500);
    await person.tap(`category:${id}:description:waiting`);
    expect((await person.screen()).text).toContain("Этого варианта больше нет.");
  });

  // covers seo: E18
  it("that nobody decided on for a day is not saved any more, and its tokens are back", async () => {
    const { person, id } = await anOwner();
    await person.tap(`category:${id}:description:generate`);
    await person.press("Да, сгенерировать");
    await reaches(person, "DescriptionGenerate.review");
    const [run] = await harness.sql<[{ id: string }]>`
      select id from seo.runs where workspace_id = ${harness.workspaceId} and category_id = ${id}`;
    await harness.sql.begin(async (tx) => {
      await tx`select seo.end_review(${harness.workspaceId}, ${run.id}, 'expired', now())`;
      await createLedger(tx, systemClock).giveBack(harness.workspaceId, run.id, "expired");
    });
    await person.press("Сохранить");
    expect((await person.screen()).text).toContain("Этого варианта больше нет. Закажите описание заново.");
    expect(await person.stands()).toBe("DescriptionGenerate.confirm");
    expect(await person.balance()).toBe(1500);
  });

  it("is free for the administrator, who sees the price", async () => {
    const { person, id } = await anOwner({ id: administrator });
    await person.tap(`category:${id}:description:generate`);
    expect((await person.screen()).text).toContain("Стоимость: 20 токенов (GOD_MODE — бесплатно)");
    await person.press("Да, сгенерировать");
    await reaches(person, "DescriptionGenerate.review");
    await person.press("Сохранить");
    expect((await person.screen()).text).toContain("GOD_MODE — бесплатно");
  });
});

describe("reviews", () => {
  // covers seo: F17
  it("are ordered by 3, 5 or 10, reviewed, saved as samples and deleted", async () => {
    const { person, id } = await anOwner();
    await person.tap(`category:${id}:card`);
    await person.press("Отзывы");
    await person.press("Сгенерировать отзывы");
    expect(await person.stands()).toBe("ReviewGeneration.quantity");
    expect(await answer(person, "7")).toContain("нажмите одну из кнопок");
    expect(await labelsOf(person)).toEqual([
      ...["3 отзыва — 30 токенов", "5 отзывов — 50 токенов", "10 отзывов — 100 токенов", "Отмена"],
    ]);
    await person.press("3 отзыва — 30 токенов");
    expect(await person.stands()).toBe("ReviewGeneration.confirm_cost");
    await person.press("Да, сгенерировать");
    const review = await reaches(person, "ReviewGeneration.review");
    expect(review).toContain("★★★★★");
    expect(await person.balance()).toBe(1470);
    await person.press("Перегенерировать (бесплатно, осталось 2)");
    await until("they are written anew", async () =>
      (await labelsOf(person)).includes("Перегенерировать (бесплатно, осталось 1)"),
    );
    await person.press("Сохранить");
    const saved = (await person.screen()).text;
    expect(saved).toContain("Отзывы сохранены.");
    expect(saved).toContain("Списано: 30 токенов");
    expect(saved).toContain("Отзывы — Кухни (3)");
    expect(saved).toContain("образцы");
    expect(await readReviews(harness.sql, whoseIs(person), id)).toHaveLength(3);
    await person.press("Удалить отзывы");
    expect((await person.screen()).text).toContain("(3 отзыва)");
    await person.press("Да, удалить");
    expect((await person.screen()).text).toContain("Отзывы удалены.");
  });

  // covers seo: E38
  it("that cannot be paid can be fewer", async () => {
    const { person, id } = await anOwner();
    await spend(person, 40);
    await person.tap(`category:${id}:reviews:generate`);
    await person.press("10 отзывов — 100 токенов");
    expect((await person.screen()).text).toContain("Недостаточно токенов. Нужно 100, у вас 40.");
    expect(await labelsOf(person)).toEqual(["Пополнить", "Меньше отзывов", "← Назад", "Отмена"]);
    await person.press("Меньше отзывов");
    await person.press("3 отзыва — 30 токенов");
    await person.press("Да, сгенерировать");
    await reaches(person, "ReviewGeneration.review");
    await person.press("Отмена");
    expect((await person.screen()).text).toContain("Хорошо, отзывы не сохранены. Токены возвращены.");
    expect(await person.balance()).toBe(40);
  });

  it("of which there are ten fit into one message, and a failure returns the tokens", async () => {
    const { person, id } = await anOwner({ language: "en" });
    await modelFails();
    await person.tap(`category:${id}:reviews:generate`);
    await person.press("10 reviews: 100 tokens");
    await person.press("Yes, write them");
    await person.sees("The reviews could not be written. The tokens were returned.");
    expect(await person.balance()).toBe(1500);
    await harness.control("DELETE", "/faults");
    await person.press("10 reviews: 100 tokens");
    await person.press("Yes, write them");
    const text = await reaches(person, "ReviewGeneration.review");
    expect(text.length).toBeLessThanOrEqual(4096);
    expect(text.match(/★ /g)).toHaveLength(10);
  });
});
