import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { until } from "../../../../tests/support/until.ts";
import { publishArticleFlow } from "../articles/publish-article.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterAll(() => harness?.close());

async function aBuyer(given: Parameters<SeoBotHarness["person"]>[0] = {}): Promise<SeoPerson> {
  const person = await harness.person(given);
  await person.say("/start");
  await person.screen();
  return person;
}

/** Pays the last invoice in the chat. */
async function payInvoice(person: SeoPerson): Promise<void> {
  const invoice = await until("there is an invoice", async () =>
    (await person.messages()).findLast(({ buttons }) =>
      buttons.flat().some(({ text }) => text.startsWith("Pay ⭐")),
    ),
  );
  const place = { message_id: invoice.id, row: 0, column: 0 };
  await harness.control("POST", `/telegram/chats/${person.id}/press`, place);
}

/** The screen with the button that pays. */
async function payPage(person: SeoPerson) {
  await until("there is a link", async () => (await person.stands()) === "Payment.paying" || undefined);
  return until("the link is shown", async () =>
    (await person.messages()).findLast(({ buttons }) =>
      buttons.flat().some(({ text }) => /^Оплатить \d/.test(text)),
    ),
  );
}

/** Pays by the link of a subscription in Stars. */
async function payLink(person: SeoPerson): Promise<void> {
  const { id } = await payPage(person);
  const place = { message_id: id, row: 0, column: 0 };
  await harness.control("POST", `/telegram/chats/${person.id}/press`, place);
}

interface CardPayment {
  readonly id: string;
  readonly status: string;
  readonly amount: { readonly value: string };
  readonly confirmation?: { readonly return_url?: string };
  readonly payment_method?: { readonly id: string };
}

/** The payment of the page whose button is shown. */
async function cardPayment(person: SeoPerson): Promise<CardPayment> {
  const { buttons } = await payPage(person);
  const url = buttons.flat().find(({ text }) => text.startsWith("Оплатить"))?.url ?? "";
  const order = new URL(url).searchParams.get("orderId");
  const { payments } = await harness.control<{ payments: CardPayment[] }>("GET", "/yookassa/payments");
  const found = payments.find(({ id }) => id === order);
  if (!found) throw new Error(`there is no payment behind ${url}`);
  return found;
}

const act = ({ id }: CardPayment, what: object) =>
  harness.control("POST", `/yookassa/payments/${id}/act`, what);
const reaches = (person: SeoPerson, tokens: number) =>
  until(`the balance is ${tokens}`, async () => (await person.balance()) === tokens || undefined);
const styles = async (person: SeoPerson) =>
  (await person.screen()).buttons.flat().flatMap((key) => ("style" in key && key.style ? [key.style] : []));

describe("the profile", () => {
  // covers seo: F18
  it("tells the balance, what it is enough for, counts and the forecast, and leads to everything of its own", async () => {
    const person = await aBuyer({ name: "Анна" });
    await person.press("Профиль");
    const { text } = await person.sees("Профиль: Анна");
    expect(text).toMatch(/Баланс: 1\s500 токенов/);
    expect(text).toContain("Хватит на: ~4 статьи");
    expect(text).toContain("Проектов: 0 | Категорий: 0");
    expect(text).toContain("активных расписаний нет");
    expect(text).not.toContain(String(person.id));
    expect(await styles(person)).toEqual(["primary"]);
    await person.press("Пополнить баланс");
    await person.sees("Выберите пакет:");
    await person.press("К профилю");
    await person.press("История расходов");
    await person.sees("Приветственный бонус");
  });

  // covers seo: F18
  it("shows the last twenty movements, the sum of a week, and each kind by itself", async () => {
    const person = await aBuyer();
    const { sql, workspaceId } = harness;
    for (let each = 1; each <= 21; each += 1)
      await sql`select billing.hold(${workspaceId}, ${person.id}, 10, ${`r${person.id}-${each}`}, 'text', 'text_generation')`;
    await sql`select billing.return_run(${workspaceId}, ${`r${person.id}-21`}, 'cancelled')`;
    await person.press("Профиль");
    await person.press("История расходов");
    const { text } = await person.sees("За 7 дней потрачено: 200 токенов");
    expect(text.split("\n").filter((line) => /^\d\d\.\d\d/.test(line))).toHaveLength(20);
    expect(text).not.toContain("Приветственный бонус");
    await person.press("Возвраты");
    expect((await person.sees("История расходов: Возвраты")).text).toMatch(/\+10 {2}Возврат/);
    await person.press("Покупки");
    await person.sees("Здесь пока пусто.");
    await person.press("Списания");
    expect((await person.sees("История расходов: Списания")).text).not.toContain("+");
    await person.press("Все");
    await person.sees("История расходов: Все");
    await person.press("К профилю");
    await person.sees("Профиль:");
  });

  // covers seo: F22
  it("switches each notification by itself, and again with the next tap", async () => {
    const person = await aBuyer();
    const stored = async () => {
      const [row] = await harness.sql`
        select notify_publications, notify_balance, notify_news from seo.users
        where workspace_id = ${harness.workspaceId} and id = ${person.id}`;
      return Object.values(row ?? {});
    };
    await person.press("Профиль");
    await person.press("Уведомления: настроить");
    await person.press("Баланс: ВКЛ");
    await until("it is off", async () => (await person.labels()).includes("Баланс: ВЫКЛ"));
    expect(await stored()).toEqual([true, false, true]);
    await person.press("Новости: ВКЛ");
    await person.press("Баланс: ВЫКЛ");
    await until("it is on", async () => (await person.labels()).includes("Баланс: ВКЛ"));
    expect(await stored()).toEqual([true, true, false]);
    await person.tap("profile:notify:everything");
    expect(await stored()).toEqual([true, true, false]);
  });
});

describe("the referral programme", () => {
  // covers payments: F19 Referral
  it("gives a link, counts whom it brought, and tells of the bonus from their first payment on", async () => {
    const host = await aBuyer();
    await host.press("Профиль");
    await host.press("Реферальная программа");
    const url = `https://t.me/seo_master_bot?start=ref_${host.id}`;
    const { text, buttons } = await host.sees(url);
    expect(text).toContain("Приглашено: 0");
    expect(buttons.flat()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          text: "Поделиться",
          url: expect.stringContaining(`https://t.me/share/url?url=${encodeURIComponent(url)}`),
        }),
        expect.objectContaining({ text: "Скопировать ссылку", copy: url }),
      ]),
    );
    const guest = await harness.person();
    await guest.say(`/start ref_${host.id}`);
    await guest.screen();
    await guest.press("Токены");
    await guest.tap("tariff:starter");
    await guest.press("Оплатить Stars ⭐");
    await payInvoice(guest);
    await host.sees("вам начислено 300 токенов");
    await reaches(host, 1_800);
    await host.press("К профилю");
    await host.press("Реферальная программа");
    expect((await host.sees("Приглашено: 1")).text).toContain("Заработано: 300 токенов");
  });
});

describe("buying tokens", () => {
  // covers payments: F05 Packages
  // covers payments: F33 Telegram Stars
  it("shows packages and prices, sends an invoice in Stars, and says what came", async () => {
    const person = await aBuyer();
    await person.press("Токены");
    const { text } = await person.sees("Что сколько стоит:");
    expect(text).toMatch(/Mini: 1\s000 токенов, 1\s000 ₽ или 65 ⭐/);
    expect(text).toMatch(/Enterprise: 50\s000 токенов, 40\s000 ₽ или 2\s600 ⭐/);
    expect(text).toContain("Статья ~320, пост ~40");
    expect(text).toContain("Подписки: Pro, Business, Enterprise");
    await person.tap("tariff:starter");
    const offer = await person.sees("Как оплатите?");
    expect(offer.text).toMatch(/3\s000 \+ 500 в подарок/);
    expect(await person.labels()).toEqual([
      ...["Оплатить Stars ⭐", "Оплатить картой (ЮKassa)", "Назад", "Главное меню"],
    ]);
    expect(await styles(person)).toEqual(["primary"]);
    await person.press("Оплатить Stars ⭐");
    await person.sees("Счёт выше");
    await payInvoice(person);
    expect((await person.sees("Зачислено")).text).toMatch(/^Зачислено 3\s500 токенов! Баланс: 5\s000$/);
    expect(await person.balance()).toBe(5_000);
    await person.sees("Что сделаем?");
    expect(await person.stands()).toBe("screen:dashboard");
  });

  it("tells of what is saved by card from 15 000 roubles on", async () => {
    const person = await aBuyer();
    await person.tap("tariff:pro");
    expect((await person.sees("Pro:")).text).not.toContain("Экономия");
    await person.tap("tariff:business");
    await person.sees("Экономия ~5 000 руб. при оплате картой");
    await person.tap("tariff:nothing");
    expect((await person.screen()).buttons.flat()).toHaveLength(1);
  });

  it("asks to wait after five purchases within ten minutes", async () => {
    const person = await aBuyer();
    for (const code of ["mini", "starter", "pro:once", "business:once", "enterprise:once"]) {
      await person.tap(`tariff:${code}:stars`);
      await person.sees("Счёт выше");
    }
    await person.tap("tariff:pro:stars");
    await person.sees("Слишком частые покупки. Подождите");
    expect(await person.labels()).toContain("Назад");
  });

  // covers cards: E37 A failed renewal
  it("asks once for the receipt, opens a page for the card, and tells how it ended", async () => {
    const person = await aBuyer();
    await person.tap("tariff:starter:yookassa");
    await person.sees("Куда прислать чек?");
    await person.say("завтра");
    await person.sees("Это не похоже на e-mail или телефон");
    await person.say("anna@example.ru");
    const declined = await cardPayment(person);
    expect(declined).toMatchObject({ status: "pending", amount: { value: "3000.00" } });
    await act(declined, { act: "decline", reason: "insufficient_funds" });
    await person.sees("Оплата не прошла, деньги не списаны");
    expect(await person.stands()).toBe("screen:tariff:starter");
    await person.press("Попробовать снова");
    await person.press("Оплатить картой (ЮKassa)");
    const paid = await cardPayment(person);
    expect(paid.id).not.toBe(declined.id);
    await act(paid, { act: "pay" });
    await person.sees("Зачислено 3");
    await reaches(person, 5_000);
    await person.sees("Что сделаем?");
  });

  it("says so when the provider does not answer, and charges nothing", async () => {
    const person = await aBuyer();
    await person.tap("tariff:mini:yookassa");
    await person.sees("Куда прислать чек?");
    await person.say("+7 900 123-45-67");
    await person.sees("Нажмите кнопку, оплатите");
    const fault = { provider: "yookassa", method: "POST /payments", fault: { kind: "status", status: 503 } };
    await harness.control("POST", "/faults", { ...fault, times: 20 });
    await person.tap("tariff:starter:yookassa");
    await person.sees("Платёжный сервис не отвечает. Ничего не списано");
    await harness.control("DELETE", "/faults");
    expect(await person.labels()).toContain("Оплатить картой (ЮKassa)");
    expect(await person.balance()).toBe(1_500);
  });

  it("takes back what was refunded, and says how to go on with a debt", async () => {
    const person = await aBuyer();
    await person.tap("tariff:mini:stars");
    await payInvoice(person);
    await reaches(person, 2_500);
    const { sql, workspaceId } = harness;
    await sql`select billing.hold(${workspaceId}, ${person.id}, 2400, ${`spent-${person.id}`}, 'text', 'text_generation')`;
    const [payment] = await sql<[{ id: number }]>`
      select id from billing.payments where workspace_id = ${workspaceId} and user_id = ${person.id}`;
    await sql`select billing.refund_payment(${workspaceId}, ${payment.id}, 65, now())`;
    const { text } = await person.sees("Платёж возвращён: 65 ⭐");
    expect(text).toContain(
      "Ваш баланс отрицателен (-900 токенов) из-за возврата средств. Пополните баланс для продолжения работы.",
    );
    await person.press("Пополнить");
    await person.sees("Выберите пакет:");
  });

  it("speaks English", async () => {
    const person = await aBuyer({ language: "en" });
    await person.press("Tokens");
    await person.press("Mini: 1,000 ₽");
    await person.press("Pay with Stars ⭐");
    await person.sees("The invoice is above");
    await payInvoice(person);
    await person.sees("1,000 tokens added! Balance: 2,500");
  });
});

describe("a top-up in the middle of a work", () => {
  // covers payments: E51 Going on after a top-up
  it("asks whether to go on with it", async () => {
    const person = await aBuyer();
    const { name, first, empty } = publishArticleFlow;
    await harness.sql`
      insert into dialogs.kept (workspace_id, bot, chat_id, flow, state, data, trail, kept_until)
      values (${harness.workspaceId}, 'seo-bot', ${String(person.id)}, ${name}, ${first}, ${JSON.stringify(empty)}::text::jsonb, '{}',
        now() + interval '1 day')`;
    await person.tap("tariff:mini:stars");
    await person.sees("Счёт выше");
    await payInvoice(person);
    const { buttons } = await person.sees("Баланс пополнен! Продолжить?");
    expect(buttons.flat().map(({ text }) => text)).toEqual(["Продолжить", "Нет"]);
    await person.sees("Зачислено 1");
    await person.press("Нет");
    await until(
      "the person is home",
      async () => (await person.stands()) === "screen:dashboard" || undefined,
    );
    const kept = () => harness.sql`
      select from dialogs.kept where bot = 'seo-bot' and chat_id = ${String(person.id)} and flow = ${name}`;
    expect(await kept()).toHaveLength(1);
    await person.tap(`flow:${name}:resume`);
    await until("it is not left any more", async () => (await kept()).length === 0 || undefined);
  });
});

describe("a subscription", () => {
  it("is paid by a link, shown, cancelled after a question, resumed and changed", async () => {
    const person = await aBuyer();
    await person.press("Токены");
    await person.press("Моя подписка");
    await person.sees("Подписки нет");
    await person.tap("tariff:pro:stars");
    await payLink(person);
    expect((await person.sees("Зачислено")).text).toMatch(/Зачислено 7\s200 токенов! Баланс: 8\s700/);
    await person.press("Токены");
    await person.press("Моя подписка");
    const mine = await person.sees("Статус: действует");
    expect(mine.text).toMatch(/Pro: 7\s200 токенов каждые 30 дней/);
    expect(mine.text).toMatch(/Следующее списание: .+, 390 ⭐/);
    await person.tap("tariff:business:stars");
    await person.sees("Подписка уже действует");
    await person.tap("subscription");
    await person.press("Отменить подписку");
    await person.sees("больше не придут");
    await person.press("Оставить");
    await person.press("Отменить подписку");
    await person.press("Да, отменить");
    await person.sees("Подписка Pro отменена");
    await person.sees("Статус: отменена");
    const { subscriptions } = await harness.control<{ subscriptions: { user: unknown; state: string }[] }>(
      "GET",
      "/telegram/stars",
    );
    expect(subscriptions.at(-1)?.state).toBe("canceled");
    await person.press("Возобновить подписку");
    await person.sees("Подписка Pro возобновлена");
    await person.press("Изменить тариф");
    await person.tap("subscription:change:business");
    await person.sees("Перейти с Pro на Business?");
    await person.press("Да, перейти");
    await person.sees("Подписка Pro отменена");
    expect(await person.stands()).toBe("screen:tariff:business");
  });

  // covers payments: E19 Stars are short
  it("is paused with a word about it when Stars are short", async () => {
    const person = await aBuyer();
    await person.tap("tariff:pro:stars");
    await payLink(person);
    await reaches(person, 8_700);
    const { sql, workspaceId } = harness;
    const [{ id }] = await sql<[{ id: number }]>`
      select id from billing.subscriptions where workspace_id = ${workspaceId} and user_id = ${person.id}`;
    await sql`select billing.change_subscription(${workspaceId}, ${id}, 'paused', now())`;
    const { buttons } = await person.sees(
      "Подписка Pro приостановлена — недостаточно Stars для продления. Расписания продолжают работать на текущем балансе.",
    );
    expect(buttons.flat().map(({ text }) => text)).toEqual(["Пополнить Stars", "Управление подпиской"]);
    await person.press("Управление подпиской");
    await person.sees("Статус: приостановлена");
  });

  // covers cards: E37 A failed renewal
  it("by card tells of a renewal that failed, with other ways to pay", async () => {
    const person = await aBuyer();
    await person.tap("tariff:pro:yookassa");
    await person.sees("Куда прислать чек?");
    await person.say("anna@example.ru");
    await act(await cardPayment(person), { act: "pay" });
    await reaches(person, 8_700);
    const { sql, workspaceId } = harness;
    const [payment] = await sql<[{ id: number }]>`
      insert into billing.payments (workspace_id, user_id, sale_id, provider, product, package_name, tokens_amount, amount_rub, amount,
        currency, subscription, renews)
      select s.workspace_id, s.user_id, s.sale_id, s.provider, s.product, 'pro', 7200, 6000, 6000, 'RUB', s.id, s.period_end
      from billing.subscriptions s where s.workspace_id = ${workspaceId} and s.user_id = ${person.id} returning id`;
    await sql`select billing.fail_payment(${workspaceId}, ${payment.id}, 'insufficient_funds', now())`;
    const { text, buttons } = await person.sees("Автопродление не удалось. Подписка действует до");
    expect(text).toMatch(/до \d+ \S+ \d{4}/);
    expect(buttons.flat().map(({ text: label }) => label)).toEqual([
      "Обновить способ оплаты",
      "Оплатить Stars",
    ]);
    await person.press("Оплатить Stars");
    await payLink(person);
    await person.sees("Зачислено 7");
  });
});
