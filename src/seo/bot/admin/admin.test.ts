import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { until } from "../../../../tests/support/until.ts";
import { botScreens } from "../bot.ts";

const adminId = 919_001;
let harness: SeoBotHarness;
let boss: SeoPerson;

beforeAll(async () => {
  harness = await startSeoBot({ business: false, environment: { ADMIN_ID: String(adminId) } });
  boss = await harness.person({ id: adminId, name: "Хозяин" });
  await boss.say("/start");
  await boss.screen();
});
afterAll(() => harness?.close());

async function aGuest(given: Parameters<SeoBotHarness["person"]>[0] = {}, start = "/start") {
  const person = await harness.person(given);
  await person.say(start);
  await person.screen();
  return person;
}

/** A payment in Stars, as the till records it. */
async function paid({ id }: SeoPerson, charge: string): Promise<void> {
  const { sql, workspaceId } = harness;
  const [sale] = await sql<[{ id: number }]>`
    select billing.begin_sale(${workspaceId}, ${id}, 'seo_tokens', 'stars', 'seo-bot', 'starter', 3500, 500, 3000, 195, 'XTR', null,
      false, null, ${JSON.stringify({ charge })}::text::jsonb) as id`;
  await sql`select billing.record_payment(${workspaceId}, 'stars', ${charge}, ${sale.id}, ${id}, 195, 'XTR')`;
}

describe("somebody who is no administrator", () => {
  it("has no label for it, and finds nothing behind any of its addresses", async () => {
    const guest = await aGuest();
    await guest.say("АДМИНКА");
    expect(await guest.stands()).toBe("screen:dashboard");
    const addresses = botScreens
      .map(({ path }) => path)
      .filter((path) => path === "admin" || path.startsWith("admin:"))
      .map((path) => path.replace("{days}", "30").replace("{hours}", "24").replace("{id}", String(adminId)))
      .map((path) => path.replace("{@kind}", "low_balance"));
    expect(addresses.length).toBeGreaterThan(8);
    for (const address of addresses) {
      await guest.tap(address);
      const { text, buttons } = await guest.screen();
      expect([address, buttons.flat()]).toEqual([address, [expect.anything()]]);
      expect(text).not.toContain("Админка");
      expect(await guest.stands()).not.toContain("Admin");
      await guest.tap("dashboard");
      await guest.screen();
    }
  });
});

describe("the panel", () => {
  // covers seo: F20
  it("counts people, money, publications and referrals, each by itself", async () => {
    const host = await aGuest();
    const guest = await aGuest({}, `/start ref_${host.id}`);
    await paid(guest, `a-${guest.id}`);
    await paid(guest, `b-${guest.id}`);
    await boss.say("АДМИНКА");
    const { text } = await boss.sees("Админка");
    const [figures] = await harness.sql<[{ users: number }]>`
      select count(*)::int as users from seo.users where workspace_id = ${harness.workspaceId}`;
    expect(text).toContain(`Пользователей: ${figures.users} (бесплатных ${figures.users - 1}, платных 1)`);
    expect(text).toMatch(/Выручка за 30 дней: 6\s000 ₽/);
    expect(text).toContain("Starter: 1");
    expect(text.match(/Starter, 195 ⭐/g)).toHaveLength(2);
    expect(text).toContain("Рефералы: приглашено 1, оплат с бонусом 2, начислено 600 токенов");
    expect(text).toContain("Сервисы: работают.");
  });

  it("shows the load and which services are on", async () => {
    await boss.say("АДМИНКА");
    await boss.press("Мониторинг");
    const { text } = await boss.sees("Подключённые сервисы:");
    expect(text).toContain("Генерации: идут 0, ждут 0");
    expect(text).toContain("Оплата картой (ЮKassa): включён");
    await boss.press("Обновить");
    await boss.press("К админке");
    await boss.sees("Пользователей:");
  });

  it("shows what providers cost, in dollars and roubles, for three periods", async () => {
    const { sql, workspaceId } = harness;
    for (const [call, cost, days] of [
      ["c1", 0.5, 1],
      ["c2", 1.5, 20],
      ["c3", 4, 60],
    ] as const)
      await sql`
        insert into billing.token_expenses (workspace_id, user_id, amount, operation_type, cost_usd, call_id, created_at)
        values (${workspaceId}, ${adminId}, 0, 'api_openrouter', ${cost}, ${call}, now() - ${days} * interval '1 day')`;
    await boss.say("АДМИНКА");
    await boss.press("Затраты API");
    expect((await boss.sees("Затраты API за 30 дней\n")).text).toContain(
      "openrouter: $2,00 (185 ₽), запросов 2",
    );
    await boss.press("7 дней");
    expect((await boss.sees("за 7 дней")).text).toContain("Всего: $0,50 (46 ₽ по курсу 92,50)");
    await boss.press("90 дней");
    expect((await boss.sees("за 90 дней")).text).toContain("$6,00");
    await boss.tap("admin:costs:31");
    expect((await boss.screen()).buttons.flat()).toHaveLength(1);
  });

  it("shows works and publications that failed, of a day and of a week", async () => {
    const { sql, workspaceId } = harness;
    const guest = await aGuest();
    const error = { code: "text_failed", message: { ru: "Модель не ответила", en: "No answer" } };
    await sql`
      insert into seo.runs (workspace_id, user_id, kind, status, input, error, ended_at)
      values (${workspaceId}, ${guest.id}, 'article', 'failed', '{}', ${JSON.stringify(error)}::text::jsonb, now() - interval '3 days')`;
    await boss.say("АДМИНКА");
    await boss.press("Логи ошибок");
    await boss.sees("Ошибок не было.");
    await boss.press("7 дней");
    const { text } = await boss.sees("Ошибки за 7 дней");
    expect(text).toContain(`article, text_failed, id ${guest.id}: Модель не ответила`);
  });
});

describe("looking up a person", () => {
  it("finds them by id or name, and changes their balance with a reason after a confirmation", async () => {
    const guest = await aGuest({ name: "Пётр" });
    await harness.sql`
      update seo.users set username = 'Petr_Tea' where workspace_id = ${harness.workspaceId} and id = ${guest.id}`;
    await boss.say("АДМИНКА");
    await boss.press("Просмотр пользователя");
    await boss.sees("Кого показать?");
    await boss.say("@nobody_here");
    await boss.sees("Такого пользователя нет");
    await boss.say("@petr_tea");
    await boss.sees("Пётр (@Petr_Tea)");
    await boss.press("Другой пользователь");
    await boss.say(String(guest.id));
    await until("the card is shown", async () => (await boss.stands()) === `screen:admin:user:${guest.id}`);
    await boss.press("Изменить баланс");
    await boss.sees("Сколько начислить?");
    await boss.say("много");
    await boss.sees("Нужно целое число");
    await boss.say("-5000");
    await boss.sees("Почему?");
    await boss.say("x");
    await boss.sees("от 3 до 200 символов");
    await boss.say("проверка");
    await boss.press("Да, изменить");
    await boss.sees("Столько списать нельзя");
    expect(await guest.balance()).toBe(1_500);
    await boss.say("250");
    await boss.sees("Почему?");
    await boss.say("извинение за сбой");
    await boss.sees("Всё верно?");
    await boss.press("Да, изменить", 3);
    expect((await boss.sees("Готово: +250 токенов")).text).toMatch(/Баланс: 1\s750/);
    expect(await guest.balance()).toBe(1_750);
    const notes = await harness.sql<{ description: string }[]>`
      select description from billing.token_expenses
      where workspace_id = ${harness.workspaceId} and user_id = ${guest.id} and operation_type = 'adjustment'`;
    expect(notes.map(({ description }) => description)).toEqual([
      expect.stringContaining("извинение за сбой"),
    ]);
  });
});

describe("a broadcast", () => {
  // covers seo: F20
  it("is written, looked at, confirmed with its count, sent past whoever blocked the bot, and reported", async () => {
    const reader = await aGuest();
    const silent = await aGuest();
    const blocked = await aGuest();
    await silent.tap("profile:notify:news");
    await until("news are off", async () => (await silent.labels()).includes("Новости: ВЫКЛ"));
    await harness.control("PATCH", `/telegram/chats/${blocked.id}`, { block: true });
    const [{ count }] = await harness.sql<[{ count: number }]>`
      select count(*)::int as count from seo.users where workspace_id = ${harness.workspaceId} and notify_news`;
    await boss.say("АДМИНКА");
    await boss.press("Рассылка");
    await boss.press(`Всем (${count})`);
    await boss.sees("Пришлите текст рассылки");
    await boss.say("Новая функция: план статьи");
    await boss.sees(`Получателей: ${count}`);
    await boss.press("Изменить");
    await boss.say("Новая функция: планы статей");
    await boss.press(`Отправить (${count})`, 2);
    const { text } = await boss.sees("Рассылка закончена");
    expect(text).toContain(`Отправлено: ${count - 1}`);
    expect(text).toContain("Заблокировали бота: 1");
    expect(text).toContain("Не удалось: 0");
    const news = async (person: SeoPerson) =>
      (await person.messages()).filter(({ text: said }) => said === "Новая функция: планы статей").length;
    expect([await news(reader), await news(silent), await news(blocked)]).toEqual([1, 0, 0]);
    await reader.press("Настройки");
    await boss.press("Новая рассылка");
    await boss.sees("Прошлые рассылки:");
  });
});
