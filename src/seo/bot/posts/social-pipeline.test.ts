import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { type PostWorld, postWorld, type Shop } from "../../../../tests/support/seo-bot-posts.ts";
import { until } from "../../../../tests/support/until.ts";
import { systemClock } from "../../../kernel/clock/index.ts";
import { addCategory, changeCategory } from "../../categories/categories.ts";
import { addProject } from "../../projects/projects.ts";

let harness: SeoBotHarness;
let world: PostWorld;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
  world = await postWorld(harness);
});
afterAll(() => harness.close());
afterEach(() => world.mend());

const deps = () => ({ sql: harness.sql, clock: systemClock, admins: [] });
const whose = ({ person }: Pick<Shop, "person">) => ({ workspaceId: harness.workspaceId, userId: person.id });
const describeTopic = (shop: Shop) =>
  changeCategory(deps(), whose(shop), shop.categoryId, { description: "Листовой чай для дома и подарков." });

/** A shop whose topic lacks nothing. */
async function aReadyShop(given: Parameters<PostWorld["aShop"]>[0] = {}): Promise<Shop> {
  const shop = await world.aShop(given);
  await describeTopic(shop);
  return shop;
}

const labelled = ({ person }: Shop, shape: RegExp): Promise<string> =>
  until(`a button ${shape}`, async () => (await person.labels()).find((label) => shape.test(label)));

/** From the confirmation to the published post. */
async function published({ person }: Shop): Promise<void> {
  await person.press("Создать пост");
  await person.sees("Публикуем?");
  await person.press("Опубликовать");
  await person.press("Информация");
  await person.sees("Пост опубликован в ");
}

describe("the pipeline of posts", () => {
  // covers seo: F42
  it("leads a newcomer from nothing to a published post: project, channel, topic, phrases", async () => {
    const person = await harness.person();
    const name = `lavka_${person.id}`;
    await harness.control("POST", "/telegram/chats", {
      ...{ id: -1_003_000_000_000 - person.id, type: "channel", title: "Лавка", username: name },
      members: [{ bot: "shop_bot", status: "administrator", can_post_messages: true }],
    });
    await person.say("/start");
    await person.press("Опубликовать пост в соцсети");
    await person.sees("Для начала создадим проект — это 30 секунд.");
    for (const answer of ["Лавка", "Два листа", "весовой чай и посуда"]) {
      await person.screen();
      await person.say(answer);
    }
    await person.press("Пропустить");
    await person.sees("Подключите соцсеть для публикации");
    expect(await person.labels()).toEqual(
      expect.arrayContaining(["Подключить Telegram", "Подключить VK", "Подключить Pinterest"]),
    );
    await person.press("Подключить Telegram");
    expect(await person.stands()).toBe("SocialPipeline.connect_tg_channel");
    await person.say("wrong channel");
    await person.sees("Введите @channel, t.me/channel или числовой ID");
    await person.say(`@${name}`);
    expect(await person.stands()).toBe("SocialPipeline.connect_tg_token");
    await person.say(`1001:${"A".repeat(35)}`);
    await person.sees("О чём будет пост? Назовите тему.");
    await person.say("Зелёный чай");
    await person.sees("Пост (4/5) — Подготовка");
    await person.press("Подобрать ключевики (100 ток.)");
    await person.press("Москва");
    expect(await person.stands()).toBe("SocialPipeline.readiness_keywords_choose");
    await person.press("Подобрать автоматически (100 фраз — 100 токенов)");
    await person.sees("✅ Ключевые фразы:");
    await person.press("Всё ОК — генерировать →");
    await person.sees("Пост (5/5) — Подтверждение");
    await person.press("Создать пост");
    await person.sees("Публикуем?");
    await person.press("Опубликовать");
    await person.press("Информация");
    await person.sees("Пост опубликован в ");
  });

  it("asks a returning person nothing that it knows, and offers cross-posts, another post and a schedule", async () => {
    const shop = await aReadyShop({ networks: ["telegram"] });
    const { person, projectId } = shop;
    await person.tap("pipeline:social:start");
    await person.sees("Пост (5/5) — Подтверждение");
    await world.connect(person, projectId, "vk");
    await published(shop);
    expect(await person.labels()).toEqual([
      ...["Открыть пост ↗", "Кросс-пост для VK (~20 ток.)", "Ещё пост", "Настроить автопубликацию"],
      ...["К категории", "Главное меню"],
    ]);
    await person.press("Ещё пост");
    await person.sees("Пост (5/5) — Подтверждение");
    await person.press("Вернуться к чеклисту");
    await person.sees("Всё готово.");
    await person.press("Всё ОК — генерировать →");
    expect(await person.stands()).toBe("SocialPipeline.confirm_cost");
  });

  it("lists projects, places and topics where there are several", async () => {
    const shop = await aReadyShop({ networks: ["telegram", "vk"] });
    const { person, projectId } = shop;
    await addProject(deps(), whose(shop), {
      name: "Кофейня",
      company_name: "Зерно",
      specialization: "кофе в зёрнах",
    });
    await addCategory(deps(), whose(shop), projectId, { name: "Пуэр" });
    await person.tap("pipeline:social:start");
    await person.sees("Для какого проекта?");
    await person.press("Чайная");
    await person.sees("Пост (2/5) — Платформа");
    expect(await person.labels()).toEqual(expect.arrayContaining(["VK: Лавка чая"]));
    await person.press("VK: Лавка чая");
    await person.sees("Какая тема?");
    expect(await person.labels()).toEqual(
      expect.arrayContaining(["Кухни", "Пуэр", "Новая тема", "Другой проект"]),
    );
    await person.press("Пуэр");
    await person.sees("▫️ Ключевые фразы — обязательно");
    // What was prepared is not left by mistake, and the topic can be chosen anew.
    await person.press("← Назад");
    await person.sees("Вы уверены? Прогресс сохранится.");
    expect(await person.labels()).toEqual(["Продолжить pipeline", "← Назад"]);
    await person.press("Продолжить pipeline");
    expect(await person.stands()).toBe("SocialPipeline.readiness_check");
    await person.press("← Назад");
    await person.press("← Назад");
    await person.screen();
    expect(await person.stands()).toBe("SocialPipeline.select_category");
    await person.press("← Назад");
    expect(await person.stands()).toBe("SocialPipeline.select_connection");
  });

  // covers seo: E51
  it("brings back whoever left its preparation to buy tokens, and counts what the preparation costs", async () => {
    const shop = await world.aShop({ networks: ["telegram"] });
    const { person } = shop;
    const balance = (tokens: number) => harness.sql`
      update billing.users set balance = ${tokens} where workspace_id = ${harness.workspaceId} and id = ${person.id}`;
    await balance(10);
    await person.tap("pipeline:social:start");
    await person.press("Описание (20 ток.)");
    await person.press("Пополнить");
    expect(await person.stands()).toBe("screen:tariffs");
    await balance(500);
    await person.tap("pipeline:social:start");
    await person.press("Продолжить");
    expect(await person.stands()).toBe("SocialPipeline.readiness_description");
    await person.press("Сгенерировать AI (20 токенов)");
    await person.press("Сохранить");
    await person.sees("Пост (5/5) — Подтверждение");
    await person.press("Вернуться к чеклисту");
    await person.sees("Подготовка: 20 ток. Вместе: ~");
  });

  // covers seo: E22
  it("says that every phrase was used lately, and waits while its person looks for more", async () => {
    const shop = await aReadyShop({ phrases: ["чай улун"] });
    const { person, projectId, categoryId } = shop;
    await harness.sql`
      insert into seo.publication_logs (workspace_id, user_id, project_id, category_id, platform_type, keyword, content_type, status)
      values (${harness.workspaceId}, ${person.id}, ${projectId}, ${categoryId}, 'telegram', 'чай улун', 'social_post', 'success')`;
    await person.tap("pipeline:social:start");
    await person.press("Создать пост");
    await person.sees("Используем кластер «чай улун» повторно.");
    await person.press("Добавить ещё фраз");
    expect(await person.stands()).toBe(`screen:category:${categoryId}:keywords`);
    await person.tap("pipeline:social:start");
    await person.press("Продолжить");
    expect(await person.stands()).toBe("SocialPipeline.review");
  });

  // covers seo: E49
  it("keeps the progress of whoever leaves it after a question, and goes on where they were", async () => {
    const shop = await aReadyShop();
    const { person } = shop;
    await person.tap("pipeline:social:start");
    await person.sees("Пост (5/5) — Подтверждение");
    await person.press("Создать пост");
    await person.sees("Публикуем?");
    const balance = await person.balance();
    await person.tap("page:projects:1");
    await person.screen();
    await person.press((await person.labels())[1] ?? "");
    expect(await person.stands()).toBe("screen:page:projects:1");
    await person.tap("pipeline:social:start");
    await person.press("Продолжить");
    await person.sees("Публикуем?");
    expect(await person.stands()).toBe("SocialPipeline.review");
    expect(await person.balance()).toBe(balance);
    await person.press("Отмена");
    await person.sees("Пост отменён.");
    expect(await person.balance()).toBe(1_500);
  });

  it("adapts a published post for another network, after a review of its own", async () => {
    const shop = await aReadyShop({ networks: ["telegram", "vk", "pinterest"] });
    const { person } = shop;
    await person.tap("pipeline:social:start");
    await person.press(await labelled(shop, /^Telegram: /));
    await published(shop);
    const before = await person.balance();
    await person.press("Кросс-пост для VK (~20 ток.)");
    await labelled(shop, /^Опубликовать в VK$/);
    expect(await person.stands()).toBe("SocialPipeline.cross_post_review");
    expect(await person.labels()).toEqual(["Опубликовать в VK", "Пропустить", "Отмена"]);
    await person.press("Опубликовать в VK");
    await person.sees("Пост опубликован в VK: Лавка чая!");
    expect(await person.balance()).toBeLessThan(before);
    expect(await person.labels()).not.toContain("Кросс-пост для VK (~20 ток.)");
    const spent = await person.balance();
    await person.press("Кросс-пост для Pinterest (~10 ток.)");
    await labelled(shop, /^Опубликовать в Pinterest$/);
    await person.press("Пропустить");
    await person.sees("Кросс-пост пропущен.");
    expect(await person.balance()).toBe(spent);
    expect(await person.stands()).toMatch(/^screen:post:.*:result$/);
  });

  // covers seo: E52
  it("gives back the share of a cross-post that fails; the original stays published", async () => {
    const shop = await aReadyShop({ networks: ["telegram", "vk"] });
    const { person } = shop;
    await person.tap("pipeline:social:start");
    await person.press(await labelled(shop, /^Telegram: /));
    await published(shop);
    const before = await person.balance();
    const original = await world.shown("telegram", shop);
    await world.refuseTexts();
    await person.press("Кросс-пост для VK (~20 ток.)");
    await person.sees("Не удалось адаптировать для VK. Токены возвращены.");
    expect(await person.labels()).toEqual(expect.arrayContaining(["Повторить", "Пропустить"]));
    expect(await person.balance()).toBe(before);
    expect((await world.shown("telegram", shop)).length).toBeGreaterThan(0);
    expect(await world.shown("telegram", shop)).toEqual(original);
    await world.mend();
    await person.press("Повторить");
    await labelled(shop, /^Опубликовать в VK$/);
    await person.press("Отмена");
    await person.sees("Пост отменён.");
    expect(await person.balance()).toBe(before);
  });

  it("connects VK again in the middle, and the post waits for it", async () => {
    const shop = await aReadyShop({ networks: ["vk"] });
    const { person } = shop;
    await person.tap("pipeline:social:start");
    await person.press("Создать пост");
    await person.sees("Публикуем?");
    await harness.control("PATCH", "/vk/tokens/vk1.a.administrator", { revoked: true });
    await person.press("Опубликовать");
    await person.press("Информация");
    await person.press("Переподключить VK");
    expect(await person.stands()).toBe("SocialPipeline.connect_vk_token");
    await world.mend();
    await person.say("vk1.a.administrator");
    await person.sees("Публикуем?");
    await person.press("Опубликовать");
    await person.sees("Пост опубликован в VK");
  });
});
