import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { type PostWorld, postWorld, type Shop } from "../../../../tests/support/seo-bot-posts.ts";
import { until } from "../../../../tests/support/until.ts";
import type { PostPlatform } from "../../posts/shape.ts";

let harness: SeoBotHarness;
let world: PostWorld;
const admin = 940_001;
beforeAll(async () => {
  harness = await startSeoBot({ business: false, environment: { ADMIN_ID: String(admin) } });
  world = await postWorld(harness);
});
afterAll(() => harness.close());
afterEach(() => world.mend());

const open = ({ person, categoryId, connections }: Shop, platform: PostPlatform) =>
  person.tap(`category:${categoryId}:connection:${connections[platform]}:post`);

/** Opens the flow and has the post written. */
async function reviewed(shop: Shop, platform: PostPlatform = "telegram"): Promise<void> {
  await open(shop, platform);
  await shop.person.sees("Стоимость: ~");
  await shop.person.press("Да, сгенерировать");
  await shop.person.sees("Публикуем?");
}

describe("a post for one connection", () => {
  // covers seo: F06
  // covers seo: F12
  // covers seo: F13
  // covers seo: F14
  it.each(["telegram", "vk", "pinterest"] as const)(
    "is confirmed with its cost, reviewed with its picture and published in %s, with a receipt and a link",
    async (platform) => {
      const shop = await world.aShop({ networks: [platform] });
      const { person } = shop;
      await open(shop, platform);
      await person.sees("Стоимость: ~40 ток.");
      expect(await person.labels()).toEqual(["Да, сгенерировать", "Отмена"]);
      await person.press("Да, сгенерировать");
      const review = await person.sees("Публикуем?");
      expect(review.text.length).toBeLessThanOrEqual(4096);
      expect(await person.labels()).toEqual(["Опубликовать", "Перегенерировать", "Отмена"]);
      const withPicture = (await person.messages()).filter(({ media = [] }) => media.length > 0);
      expect(withPicture.length).toBeGreaterThan(0);
      await person.press("Опубликовать");
      if (platform !== "pinterest") {
        await person.sees("Это реклама или информация?");
        await person.press("Информация");
      }
      const result = await person.sees("Пост опубликован в ");
      expect(result.text).toContain("Чек. Удержано");
      expect(result.buttons.flat().map(({ text }) => text)).toEqual([
        ...["Открыть пост ↗", "Ещё пост", "Настроить автопубликацию", "К категории", "Главное меню"],
      ]);
      const posts = await world.shown(platform, shop);
      expect(posts.at(-1)?.text).toContain("#зелёный_чай");
      expect(posts.at(-1)?.text).not.toContain("erid");
      expect(await person.balance()).toBeLessThan(1_500);
      expect(await person.stands()).toMatch(/^screen:post:.*:result$/);
    },
  );

  it("that is an advert gets its marking, typed once and remembered for the project", async () => {
    const shop = await world.aShop();
    const { person } = shop;
    await reviewed(shop);
    await person.press("Опубликовать");
    await person.press("Реклама");
    await person.sees("Пришлите одной строкой рекламодателя");
    await person.say("ООО «Два листа», 1234567890, 2VtzqwXyz9");
    await person.sees("ИНН не подходит");
    await person.say("ООО «Два листа», ИНН 7707083893, erid 2VtzqwXyz9");
    await person.sees("Пост опубликован в Telegram");
    const line = "Реклама. ООО «Два листа», ИНН 7707083893. erid: 2VtzqwXyz9";
    expect((await world.shown("telegram", shop)).at(-1)?.text).toContain(line);

    await reviewed(shop);
    await person.press("Опубликовать");
    await person.sees(`Пометка проекта: «${line}»`);
    await person.press("Реклама");
    await person.sees("Пост опубликован в Telegram");
    expect((await world.shown("telegram", shop)).filter(({ text }) => text.includes(line))).toHaveLength(2);
  });

  // covers seo: E01
  // covers seo: E16
  it("does not begin without tokens or phrases, and says what helps", async () => {
    const shop = await world.aShop();
    await world.leaveTokens(shop.person, 0);
    await open(shop, "telegram");
    await shop.person.sees("Недостаточно токенов! Нужно: ~40 | Баланс: 0");
    expect(await shop.person.labels()).toEqual(["Пополнить баланс", "Отмена"]);
    await shop.person.press("Отмена");
    expect(await shop.person.stands()).toMatch(/:menu$/);

    const empty = await world.aShop({ phrases: [] });
    await open(empty, "telegram");
    await empty.person.sees("В категории нет ключевых фраз.");
    expect(await empty.person.labels()).toEqual(["Подобрать фразы", "Отмена"]);
    await empty.person.press("Подобрать фразы");
    expect(await empty.person.stands()).toMatch(/^KeywordGeneration\./);
  });

  // covers seo: E10
  it("is written anew twice for nothing, then for its price, and without tokens this one can be published", async () => {
    const shop = await world.aShop({ networks: ["pinterest"] });
    const { person } = shop;
    await reviewed(shop, "pinterest");
    const first = (await person.screen()).text;
    const held = await person.balance();
    await person.sees("Бесплатных перегенераций осталось: 2");
    await person.press("Перегенерировать");
    await person.sees("осталось: 1");
    await person.press("Перегенерировать");
    const paid = await labelled(shop, /^Перегенерировать \(~40 ток\.\)$/);
    expect((await person.screen()).text).not.toBe(first);
    expect(await person.balance()).toBe(held);
    await world.leaveTokens(person, 10);
    await person.press(paid);
    await person.sees("Перегенерация стоит ~40 токенов, у вас 10.");
    expect(await person.labels()).toEqual(["Опубликовать текущий", paid, "Пополнить", "Отмена"]);
    await person.press("Опубликовать текущий");
    await person.sees("Пост опубликован в Pinterest");
  });

  it("is cancelled with its tokens, by the button, and by the command while it is written", async () => {
    const shop = await world.aShop();
    const { person } = shop;
    await reviewed(shop);
    expect(await person.balance()).toBeLessThan(1_500);
    await person.press("Отмена");
    await person.sees("Пост отменён.");
    expect(await person.balance()).toBe(1_500);
    expect(await person.stands()).toMatch(/:menu$/);

    await world.fault("openrouter", { kind: "delay", ms: 2_000 });
    await open(shop, "telegram");
    await person.press("Да, сгенерировать");
    expect(await person.stands()).toBe("SocialPostPublish.generating");
    await person.say("/cancel");
    await person.sees("Остановлено. Токены возвращены.");
    expect(await person.balance()).toBe(1_500);
  });

  // covers seo: E25
  it("is refused beyond ten an hour: nothing is charged, and the screen stays", async () => {
    const shop = await world.aShop({ phrases: Array.from({ length: 12 }, (_, index) => `чай ${index}`) });
    const { person } = shop;
    await world.orderPosts(shop, 10);
    await open(shop, "telegram");
    await person.sees("Стоимость: ~");
    await person.press("Да, сгенерировать");
    await person.sees("Превышен лимит генераций (10/час). Следующая попытка через");
    expect(await person.stands()).toBe("SocialPostPublish.confirm_cost");
    const runs = await harness.sql`
      select from seo.runs where workspace_id = ${harness.workspaceId} and user_id = ${person.id}`;
    expect(runs.length).toBe(10);
  });

  it("waits while Pinterest does not answer, and can be tried again later", async () => {
    const shop = await world.aShop({ networks: ["pinterest"] });
    const { person } = shop;
    await reviewed(shop, "pinterest");
    await world.fault("pinterest", { kind: "status", status: 429 });
    await person.press("Опубликовать");
    await person.sees("Пост сохранён, токены не потеряны.");
    expect(await person.labels()).toEqual(["Повторить через 15 мин", "Другое подключение", "Отмена"]);
    await world.mend();
    await person.press("Другое подключение");
    await person.sees("Пост отменён.");
    expect(await person.balance()).toBe(1_500);
    expect(await person.stands()).toMatch(/:connections$/);
  });

  // covers seo: E27
  // covers seo: E26
  it("is lost without a refund after half an hour of silence, or when another dialogue begins", async () => {
    const shop = await world.aShop();
    const { person, projectId } = shop;
    await reviewed(shop);
    const after = await person.balance();
    await person.fallSilent();
    await person.sees("Сессия истекла. Сгенерируйте пост заново.");
    expect(await person.balance()).toBe(after);

    await reviewed(shop);
    const then = await person.balance();
    await person.tap(`project:${projectId}:card`);
    await person.sees("Предыдущий процесс (пост) прерван.");
    expect(await person.balance()).toBe(then);
  });

  it("whose text fails is refunded, and can be tried again or about another topic", async () => {
    const shop = await world.aShop();
    const { person } = shop;
    await world.refuseTexts();
    await open(shop, "telegram");
    await person.press("Да, сгенерировать");
    await person.sees("Ошибка генерации текста. Токены возвращены: 60");
    expect(await person.labels()).toEqual(["Повторить", "Другая тема", "Главное меню"]);
    expect(await person.balance()).toBe(1_500);
    await world.mend();
    await person.press("Повторить");
    await person.press("Да, сгенерировать");
    await person.sees("Публикуем?");
  });

  // covers seo: E34
  it("whose picture fails is shown without it, with the picture's tokens back", async () => {
    const shop = await world.aShop();
    await world.refusePictures();
    await reviewed(shop);
    const { text } = await shop.person.screen();
    expect(text).toContain("Пост без изображений (генерация не удалась). Возвращено 30 токенов.");
  });

  // covers seo: E08
  it("waits when VK has revoked the key: nothing is lost, and it can be connected again", async () => {
    const shop = await world.aShop({ networks: ["vk"] });
    const { person } = shop;
    await reviewed(shop, "vk");
    await harness.control("PATCH", "/vk/tokens/vk1.a.administrator", { revoked: true });
    await person.press("Опубликовать");
    await person.press("Информация");
    await person.sees("Ошибка VK API:");
    await person.sees("Пост сохранён, токены не потеряны.");
    expect(await person.labels()).toEqual(["Повторить", "Переподключить VK", "Другое подключение", "Отмена"]);
    await world.mend();
    await person.press("Повторить");
    await person.sees("Пост опубликован в VK");
  });

  it("waits when the bot is no administrator of the channel, and is published after another check", async () => {
    const shop = await world.aShop();
    const { person, channel } = shop;
    await reviewed(shop);
    const members = (status: string) => ({ members: [{ bot: "shop_bot", status, can_post_messages: true }] });
    await harness.control("PATCH", `/telegram/chats/${channel}`, members("member"));
    await person.press("Опубликовать");
    await person.press("Информация");
    await person.sees("Бот не является администратором");
    expect(await person.labels()).toEqual(["Проверить снова", "Другой канал", "Отмена"]);
    await harness.control("PATCH", `/telegram/chats/${channel}`, members("administrator"));
    await person.press("Проверить снова");
    await person.sees("Пост опубликован в Telegram");
  });

  it("that the network refuses at the last moment is refunded, and its text can be kept as a file", async () => {
    const shop = await world.aShop({ networks: ["vk"] });
    const { person } = shop;
    await reviewed(shop, "vk");
    await world.fault("vk", { kind: "status", status: 403, code: 214 }, { method: "wall.post" });
    await person.press("Опубликовать");
    await person.press("Информация");
    await person.sees("Не удалось опубликовать в VK: Лавка чая.");
    expect(await person.balance()).toBe(1_500);
    await person.press("Сохранить как черновик");
    await person.sees("Текст остался у вас файлом");
    const files = (await person.messages()).flatMap(({ media = [] }) => media.map(({ name }) => name));
    expect(files).toContain("post.txt");
  });

  // covers seo: E07
  it("is published once, however often the button is tapped", async () => {
    const shop = await world.aShop({ networks: ["pinterest"] });
    await reviewed(shop, "pinterest");
    const before = (await world.shown("pinterest", shop)).length;
    await shop.person.press("Опубликовать", 3);
    await shop.person.sees("Пост опубликован в Pinterest");
    expect((await world.shown("pinterest", shop)).length).toBe(before + 1);
  });

  it("of somebody else is not there, and neither is its result", async () => {
    const shop = await world.aShop();
    const stranger = await world.aShop();
    await stranger.person.tap(`category:${shop.categoryId}:connection:${shop.connections.telegram}:post`);
    await stranger.person.sees("Этого здесь больше нет.");
    await stranger.person.tap("post:not-a-run:result");
    expect(await stranger.person.stands()).not.toMatch(/:result$/);
  });

  it("costs an administrator nothing, with the cost shown, and speaks English to those who do", async () => {
    const shop = await world.aShop({ id: admin, networks: ["pinterest"] });
    await open(shop, "pinterest");
    await shop.person.sees("Стоимость: ~40 ток. (GOD_MODE — бесплатно)");
    const balance = await shop.person.balance();
    await shop.person.press("Да, сгенерировать");
    await shop.person.sees("Публикуем?");
    await shop.person.press("Опубликовать");
    await shop.person.sees("Стоимость: 0 (GOD_MODE — бесплатно)");
    expect(await shop.person.balance()).toBe(balance);

    const english = await world.aShop({ language: "en" });
    await open(english, "telegram");
    await english.person.sees("Cost: ~40 tokens");
    await english.person.press("Yes, generate");
    await english.person.sees("Publish it?");
    await english.person.press("Publish");
    await english.person.press("Information");
    await english.person.sees("The post is published in Telegram");
  });
});

const labelled = ({ person }: Shop, shape: RegExp): Promise<string> =>
  until(`a button ${shape}`, async () => (await person.labels()).find((label) => shape.test(label)));
