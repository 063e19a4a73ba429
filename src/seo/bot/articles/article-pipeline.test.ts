import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ArticleBot, startArticleBot } from "../../../../tests/support/seo-article-bot.ts";
import type { SeoPerson } from "../../../../tests/support/seo-bot.ts";
import { until } from "../../../../tests/support/until.ts";
import { notify } from "../../../dialogs/index.ts";
import { aCluster } from "../../testing/builders.ts";
import { botName } from "../bot-name.ts";

let bot: ArticleBot;
beforeAll(async () => {
  bot = await startArticleBot();
});
afterEach(() => bot.control("DELETE", "/faults"));
afterAll(() => bot.close());

/** Counts what somebody types and taps; /start is neither. */
function counting(person: SeoPerson) {
  const counts = { typed: 0, taps: 0 };
  return {
    counts,
    async answer(text: string) {
      counts.typed += 1;
      await person.say(text);
    },
    async press(label: string) {
      counts.taps += 1;
      await person.press(label);
    },
  };
}

async function createProject(person: SeoPerson, address?: string) {
  await person.sees("Для начала создадим проект — это 30 секунд.");
  await person.say("Чайная");
  await person.sees("Как называется компания?");
  await person.say("Два листа");
  await person.sees("Чем занимается компания?");
  await person.say("весовой чай и посуда");
  await person.sees("Пришлите адрес сайта");
  if (address === undefined) await person.press("Пропустить");
  else await person.say(address);
}

describe("the first article", () => {
  it("takes at most 8 typed answers and 7 taps from /start to the preview, and is then published", async () => {
    const site = await bot.aSite();
    const person = await bot.person();
    const { counts, answer, press } = counting(person);
    await person.say("/start");
    await person.sees("Баланс");
    await press("Написать статью на сайт");
    await person.sees("Статья (1/5) — Проект");
    await answer("Чайная");
    await person.sees("Как называется компания?");
    await answer("Два листа");
    await person.sees("Чем занимается компания?");
    await answer("весовой чай и посуда");
    await person.sees("Пришлите адрес сайта");
    await answer(site.address);
    await person.sees("Для публикации нужен WordPress-сайт. Подключим?");
    await press("Подключить WordPress");
    await person.sees("Логин");
    await answer(site.login);
    await person.sees("Пароли приложений");
    await answer(site.password);
    await person.sees("О чём будет статья? Назовите тему.");
    await answer("Листовой чай");
    await person.sees("Сначала подберите ключевые фразы");
    await press("Подобрать ключевики (100 ток.)");
    await person.sees("В каком городе вы работаете?");
    await press("Москва");
    await press("Подобрать автоматически (100 фраз — 100 токенов)");
    await person.sees("✅ Ключевые фразы");
    await press("План");
    const plan = await person.sees("План статьи");
    if (plan.text.includes("Один вопрос")) {
      await answer("Работаем 12 лет, собрали 3000 заказов, чай возим из Уишаня сами.");
      await person.sees("Ваш ответ войдёт в статью");
    }
    await press("Создать статью");
    const preview = await person.sees("Превью приблизительное");
    expect(preview.text).toContain("Статья — Превью");
    expect(counts.typed).toBeLessThanOrEqual(8);
    expect(counts.taps).toBeLessThanOrEqual(7);
  });

  it("is offered a schedule and a hint once it is published, and the next one takes 3 taps and no words", async () => {
    const { person } = await bot.aBusiness({ description: null });
    await person.press("Написать статью на сайт");
    await person.sees("Статья (4/5) — Подготовка");
    await person.press("Всё ОК — генерировать →");
    await person.press("Создать статью");
    await person.sees("Превью приблизительное");
    await person.press("Опубликовать");
    const done = await person.sees("Опубликовано!");
    expect(done.text).toContain("Совет: добавьте описание темы");
    expect(await person.labels()).toEqual(
      expect.arrayContaining([
        "Каждый будний день в 10:00",
        "Пн, Ср, Пт в 10:00",
        "Настроить вручную",
        "Позже",
      ]),
    );
    const { counts, press } = counting(person);
    await person.say("/start");
    await person.sees("Проектов: 1");
    await press("Написать статью на сайт");
    await person.sees("Как в прошлый раз?");
    expect(await person.labels()).toEqual([
      ...["Та же тема → генерировать", "Другая тема", "Другой проект", "Отмена"],
    ]);
    await press("Та же тема → генерировать");
    await person.sees("Фраза: «как хранить листовой чай»");
    await press("Создать статью");
    await person.sees("Кластер: как хранить листовой чай");
    expect(counts).toEqual({ typed: 0, taps: 3 });
  });
});

describe("the steps before an article", () => {
  it("go without a site: the preview can be taken as HTML, or a site connected and the article published there", async () => {
    const person = await bot.person();
    await person.say("/start");
    await person.sees("Баланс");
    await person.press("Написать статью на сайт");
    await createProject(person);
    await person.sees("Для публикации нужен WordPress-сайт. Подключим?");
    await person.press("Только превью (без публикации)");
    await person.sees("О чём будет статья? Назовите тему.");
    await person.say("Ч");
    await person.sees("Введите название от 2 до 100 символов");
    await person.say("Листовой чай");
    await person.sees("Сначала подберите ключевые фразы");
    await bot.sql`
      update seo.categories c set keywords = ${JSON.stringify([aCluster("как выбрать чай улун")])}::text::jsonb
      from seo.projects p where p.id = c.project_id and p.user_id = ${person.id}`;
    await person.press("Подобрать ключевики (100 ток.)");
    await person.press("Назад к чеклисту");
    await person.sees("✅ Ключевые фразы: 1 фраза");
    await person.press("Всё ОК — генерировать →");
    await person.sees("Чайная → только превью");
    await person.press("Создать статью");
    await person.sees("Сайта пока нет");
    expect(await person.labels()).toEqual([
      ...["Открыть превью ↗", "Подключить WordPress и опубликовать", "Скопировать HTML", "Перегенерировать"],
      ...["Добавить ещё фраз", "Отмена — вернуть токены"],
    ]);

    const site = await bot.aSite();
    await person.press("Подключить WordPress и опубликовать");
    await person.sees("Подключим?");
    await person.press("Подключить WordPress");
    await person.sees("Пришлите адрес сайта, например");
    await person.say(site.address);
    await person.sees("Логин");
    await person.say(site.login);
    await person.sees("Пароли приложений");
    await person.say("aaaa bbbb cccc dddd eeee ffff");
    await person.sees("Не удалось подключиться");
    expect(await person.labels()).toEqual(
      expect.arrayContaining(["Повторить попытку", "Другой сайт", "Только превью (без публикации)"]),
    );
    await person.press("Только превью (без публикации)");
    await person.sees("Сайта пока нет");
    await person.press("Скопировать HTML");
    const said = await person.sees("HTML статьи в файле выше");
    expect(said.text).toContain("Списано");
    const files = (await person.messages()).flatMap(({ media = [] }) => media);
    expect(files.some(({ name }) => name === "article.html")).toBe(true);
    expect(await person.balance()).toBeLessThan(1500);
  });

  it("come back to a preview that waits for a site, and publish it there once it is connected", async () => {
    const { person } = await bot.aBusiness({ sites: 0 });
    await person.press("Написать статью на сайт");
    await person.press("Только превью (без публикации)");
    await person.press("Создать статью");
    await person.sees("Сайта пока нет");
    const site = await bot.aSite();
    await person.press("Подключить WordPress и опубликовать");
    await person.press("Подключить WordPress");
    await person.sees("Пришлите адрес сайта, например");
    await person.say(site.address);
    await person.sees("Логин");
    await person.say(site.login);
    await person.sees("Пароли приложений");
    await person.say(site.password);
    const done = await person.sees("Опубликовано!");
    expect(done.text).toContain(`${site.name}.wordpress.test`);
    await person.press("Ещё статью");
    await person.sees("Какая тема?");
    expect(await person.labels()).toEqual(expect.arrayContaining(["Листовой чай", "Другой проект"]));
  });

  // covers seo: E28
  it("ask for the project, the site and the theme only where there is a choice, and let people change their mind", async () => {
    const { person, projectId, sites } = await bot.aBusiness({ sites: 2 });
    await bot.aBusiness({ person });
    await person.press("Написать статью на сайт");
    await person.sees("Для какого проекта?");
    expect((await person.labels()).filter((label) => label === "Чайная")).toHaveLength(2);
    await bot.sql`update seo.projects set name = 'Первая лавка' where id = ${projectId}`;
    await person.press("Создать проект");
    await person.sees("Как назовём проект?");
    await person.press("← Назад");
    await person.press("Первая лавка");
    await person.sees("На какой сайт?");
    const site = `${sites[1]?.name}.wordpress.test`;
    await person.press(site);
    await person.sees("Статья (5/5) — Подтверждение");
    const asked = await person.screen();
    expect(asked.text).toContain(`Первая лавка → ${site}`);
    await person.press("Вернуться к чеклисту");
    await person.sees("Всё готово.");
    await person.press("Всё ОК — генерировать →");
    await person.sees("Статья (5/5) — Подтверждение");
  });

  // covers seo: E40
  it("say that a theme has phrases, but none for articles", async () => {
    const { person, categoryId } = await bot.aBusiness();
    const product = aCluster("купить улун", 100, { cluster_type: "product_page" });
    await bot.sql`
      update seo.categories set keywords = ${JSON.stringify([product])}::text::jsonb where id = ${categoryId}`;
    await person.press("Написать статью на сайт");
    await person.sees("В категории нет кластеров для статей. Добавьте информационные фразы.");
    expect(await person.labels()).toEqual(["Подобрать ключевики (100 ток.)", "Отмена"]);
  });

  it("show more to those who have published more, and count what the preparation costs", async () => {
    const { person, whose, projectId, categoryId } = await bot.aBusiness({
      prices: false,
      description: null,
    });
    await bot.sql`
      insert into seo.publication_logs (workspace_id, user_id, project_id, category_id, platform_type, keyword, content_type, status)
      select ${bot.workspaceId}, ${whose.userId}, ${projectId}, ${categoryId}, 'telegram', 'чай', 'social_post', 'success'
      from generate_series(1, 3)`;
    await person.press("Написать статью на сайт");
    await person.sees("▫️ Цены");
    expect(await person.labels()).toEqual(
      expect.arrayContaining([
        "Описание (20 ток.)",
        "Цены",
        "Изображения",
        "План",
        "Всё ОК — генерировать →",
      ]),
    );
    await person.press("Изображения");
    await person.sees("В статье будет 4 AI-изображения по теме.");
    await person.press("Настроить количество");
    await person.press("2");
    await person.sees("В статье будет 2 AI-изображения по теме.");
    await person.press("AI генерация (60 токенов)");
    await person.sees("Изображения: 2 (60 ток.)");
    await person.press("Цены");
    await person.press("Текстом");
    await person.say("Улун, 50 г — 490 руб.");
    await person.sees("✅ Цены: 1");
    await person.press("Описание (20 ток.)");
    await person.press("Сгенерировать AI (20 токенов)");
    await person.press("Сохранить");
    await person.sees("Статья (5/5) — Подтверждение");
    await person.press("Вернуться к чеклисту");
    await person.sees("Подготовка: 20 ток.");
  });
});

describe("an article that is left", () => {
  // covers seo: E49
  it("is asked about from step 4 on, kept for a day, and gone on with from the main screen", async () => {
    const { person } = await bot.aBusiness({ description: null });
    await person.press("Написать статью на сайт");
    await person.sees("Статья (4/5) — Подготовка");
    await person.say("/cancel");
    await person.sees("Прервать? Прогресс будет сохранён 24 часа.");
    await person.press("Продолжить pipeline");
    await person.sees("Статья (4/5) — Подготовка");
    await person.say("/cancel");
    await person.press("Выйти в меню");
    expect(await person.stands()).toBe("screen:dashboard");
    await person.press("Написать статью на сайт");
    await person.sees("Проект: Чайная");
    expect(await person.labels()).toEqual(["Продолжить", "Начать заново", "Отменить"]);
    await person.press("Продолжить");
    await person.press("Всё ОК — генерировать →");
    await person.press("Создать статью");
    await person.sees("Превью приблизительное");
    await person.say("/start");
    await person.sees("Проектов: 1");
    await person.tap("flow:ArticlePipeline:discard");
    await until("the tokens are back", async () => (await person.balance()) === 1500);
  });

  it("is cancelled without a question before step 4, and nothing of it is kept", async () => {
    const { person } = await bot.aBusiness({ sites: 2 });
    await person.press("Написать статью на сайт");
    expect(await person.stands()).toBe("ArticlePipeline.select_wp");
    await person.say("/cancel");
    await person.sees("Баланс");
    await until("it is left", async () => (await person.stands()) === "screen:dashboard");
    await person.press("Написать статью на сайт");
    expect(await person.stands()).toBe("ArticlePipeline.select_wp");
  });

  it("goes on by itself while its person is elsewhere, who is called back to its preview", async () => {
    const { person } = await bot.aBusiness();
    await person.press("Написать статью на сайт");
    await person.press("Создать статью");
    await person.sees("Статья — Генерация...");
    await person.tap("page:projects:1");
    await person.sees("Мои проекты (1):");
    await person.sees("Превью приблизительное");
    expect(await person.stands()).toBe("ArticlePipeline.preview");
  });

  it("is stopped while it is written, and its tokens come back", async () => {
    const { person } = await bot.aBusiness();
    await person.press("Написать статью на сайт");
    await bot.control("POST", "/faults", {
      provider: "openrouter",
      fault: { kind: "delay", ms: 3000 },
      times: 3,
    });
    await person.press("Создать статью");
    await person.sees("Статья — Генерация...");
    await person.press("Отмена");
    await person.sees("Остановлено. Токены возвращены.");
    expect(await person.balance()).toBe(1500);
  });

  // covers seo: E51
  it("is offered again with the new balance when tokens are bought in its middle", async () => {
    const { person } = await bot.aBusiness();
    await bot.sql`
      update billing.users set balance = 50 where workspace_id = ${bot.workspaceId} and id = ${person.id}`;
    await person.press("Написать статью на сайт");
    await person.sees("Недостаточно токенов! Нужно: ~320 | Баланс: 50");
    await bot.sql`
      update billing.users set balance = 1050 where workspace_id = ${bot.workspaceId} and id = ${person.id}`;
    const notice = {
      chatId: String(person.id),
      id: "top-up",
      name: "topped_up",
      say: { ru: "Спасибо!", en: "Thanks!" },
    };
    await notify(bot.sql, { workspaceId: bot.workspaceId, bot: botName }, notice, new Date());
    await person.sees("Баланс пополнен! Продолжить?");
    expect(await person.labels()).toContain("Создать статью");
  });

  it("says what went wrong with the text, that the tokens are back, and offers another theme", async () => {
    const { person } = await bot.aBusiness();
    await bot.control("POST", "/faults", {
      provider: "openrouter",
      fault: { kind: "status", status: 500 },
      times: 1000,
    });
    await person.press("Написать статью на сайт");
    await person.press("Создать статью");
    await person.sees("Ошибка генерации текста. Токены возвращены: 370");
    expect(await person.labels()).toEqual(expect.arrayContaining(["Повторить", "Другая тема"]));
    await person.press("Другая тема");
    await person.sees("Какая тема?");
    expect(await person.labels()).toEqual(
      expect.arrayContaining(["Листовой чай", "Новая тема", "Другой проект"]),
    );
  });
});
