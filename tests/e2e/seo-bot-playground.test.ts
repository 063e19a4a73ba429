import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { demoSeoBot } from "../../src/seo/demo/seed-seo-bot.ts";
import { launchBrowser } from "../support/browser.ts";
import { freePorts } from "../support/molva.ts";
import { bubble, openPlayground, say } from "../support/playground.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** The whole system as `npm start` runs it, and somebody who meets SEO Master in a browser. */
let running: RunningSystem;
let browser: Browser;
let page: Page;
/** What they have typed and tapped since /start. */
let effort = { typed: 0, taps: 0 };

beforeAll(async () => {
  // Pages of others show pictures of the server, so its address must be known before it starts.
  const { port } = await freePorts();
  const address = { MOLVA_PORT: String(port), MOLVA_PUBLIC_URL: `http://127.0.0.1:${port}` };
  running = await startSystem({ environment: address });
  browser = await launchBrowser();
  page = await openPlayground(browser, `${running.twinsUrl}/#start/telegram/${demoSeoBot.username}`);
  page.setDefaultTimeout(60_000);
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

async function answer(text: string): Promise<void> {
  effort.typed += 1;
  await say(page, text);
}

const key = (label: string) => page.locator(".post .key", { hasText: label }).last();

async function tap(label: string): Promise<void> {
  effort.taps += 1;
  await key(label).click();
}

const sees = (words: string) => bubble(page, words).waitFor();

/** The page behind a link, with every picture on it drawn. */
async function opened(label: string): Promise<{ at: Page; pictures: number }> {
  const [at] = await Promise.all([page.context().waitForEvent("page"), key(label).click()]);
  await at.waitForLoadState();
  await at.evaluate("document.querySelectorAll('img').forEach((each) => { each.loading = 'eager' })");
  const pictures = await until("every picture is drawn", async () => {
    const drawn: boolean[] = await at.evaluate(
      "[...document.images].map(({ complete, naturalWidth }) => complete && naturalWidth > 0)",
    );
    return drawn.length > 0 && drawn.every(Boolean) && drawn.length;
  });
  return { at, pictures };
}

it("a newcomer gets from /start to the preview in 8 answers and 7 taps, and the article with its pictures stands on the site", {
  timeout: 240_000,
}, async () => {
  const { site, login, appPassword } = demo.wordpress.spare;
  await sees("Вам начислено 1500 токенов");
  expect(await key("Написать статью на сайт").getAttribute("data-style")).toBe("primary");
  await tap("Написать статью на сайт");
  await sees("Как назовём проект?");
  await answer("Чайная");
  await sees("Как называется компания?");
  await answer("Два листа");
  await sees("Чем занимается компания?");
  await answer("весовой чай и посуда");
  await sees("Пришлите адрес сайта");
  await answer(`https://${site}.wordpress.test`);
  await sees("Для публикации нужен WordPress-сайт");
  await tap("Подключить WordPress");
  await sees("Пришлите логин WordPress");
  await answer(login);
  await sees("Пароли приложений");
  await answer(appPassword);
  await sees("О чём будет статья?");
  await bubble(page, appPassword).waitFor({ state: "detached" });
  await answer("Листовой чай");
  await sees("Сначала подберите ключевые фразы");
  await tap("Подобрать ключевики");
  await tap("Москва");
  await tap("Подобрать автоматически");
  await sees("Ключевые фразы: 100 фраз");
  await tap("План");
  await sees("Один вопрос");
  await answer("Работаем 12 лет, собрали 3000 заказов, чай возим из Уишаня сами.");
  await sees("Ваш ответ войдёт в статью");
  await tap("Создать статью");
  await sees("Статья — Превью");
  expect(effort.typed).toBeLessThanOrEqual(8);
  expect(effort.taps).toBeLessThanOrEqual(7);

  expect(await key("Опубликовать").getAttribute("data-style")).toBe("success");
  expect(await key("Отмена — вернуть токены").getAttribute("data-style")).toBe("danger");
  const preview = await opened("Открыть превью");
  expect(preview.pictures).toBe(4);
  const title = (await preview.at.getByRole("heading", { level: 1 }).textContent()) ?? "";
  await preview.at.close();

  await tap("Опубликовать");
  await sees("Опубликовано!");
  const article = await opened("Открыть статью");
  expect(article.at.url()).toContain(`/wordpress/${site}/`);
  expect(article.pictures).toBeGreaterThanOrEqual(4);
  await article.at.getByRole("heading", { level: 1, name: title }).waitFor();
  await article.at.close();
  // Nothing of the chat is out of the window.
  expect(await page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")).toBe(true);
});

it("whoever comes back taps three times and types nothing until the next preview", {
  timeout: 240_000,
}, async () => {
  await say(page, "/start");
  await sees("Проектов: 1");
  effort = { typed: 0, taps: 0 };
  await tap("Написать статью на сайт");
  await tap("Та же тема");
  await tap("Создать статью");
  await until("the second preview is shown", async () => {
    const texts = await page.locator(".bubble").allTextContents();
    return texts.at(-1)?.includes("Статья — Превью");
  });
  expect(effort).toEqual({ typed: 0, taps: 3 });
  await tap("Отмена — вернуть токены");
  await sees("Токены возвращены");
});

it("Pinterest is connected on its own page, from which the person returns to the talk, and files are sent there too", {
  timeout: 240_000,
}, async () => {
  const { account, board } = demo.pinterest.spare;
  await tap("Опубликовать пост в соцсети");
  await tap("Подключить Pinterest");
  const [consent] = await Promise.all([
    page.context().waitForEvent("page"),
    key("Авторизоваться в Pinterest").click(),
  ]);
  await consent.getByText(account.business_name).click();
  await consent.getByRole("button", { name: "Give access" }).click();
  await consent.waitForURL(/#telegram\/\d+$/);
  await consent.locator(".post .key", { hasText: board.name }).last().click();
  await bubble(consent, "Пост (4/5) — Подготовка").waitFor();
  await consent.close();

  const buffer = Buffer.from("чай для подарка\nпуэр с чего начать");
  await page.locator(".composer input[type=file]").setInputFiles({
    ...{ name: "phrases.txt", mimeType: "text/plain", buffer },
  });
  await page.getByRole("button", { name: "Отправить" }).click();
  await page.locator(".file-name", { hasText: "phrases.txt" }).waitFor();
});
