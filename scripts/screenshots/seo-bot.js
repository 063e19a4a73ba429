// The newcomer's way through SEO Master's bot, from /start to the article on the site, as pictures of a phone's width.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const phone = { width: 430, height: 820 };
const within = { timeout: 120_000 };

/** Writes `seo-bot-1-….webp` and so on to the folder; `twinUrl` is that of a running demo. */
export async function takeSeoBot(browser, { twinUrl, folder }) {
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({
    ...{
      viewport: phone,
      deviceScaleFactor: 1.5,
      isMobile: true,
      colorScheme: "light",
      reducedMotion: "reduce",
    },
    ...{ locale: "ru-RU", timezoneId: "Europe/Moscow" },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(within.timeout);
  await page.goto(`${twinUrl}/#start/telegram/seo_master_bot`);

  const key = (label) => page.locator(".post .key", { hasText: label }).last();
  const tap = (label) => key(label).click();
  const sees = (words) => page.locator(".bubble", { hasText: words }).last().waitFor();
  async function say(text) {
    await page.getByRole("textbox", { name: "Сообщение" }).fill(text);
    await page.getByRole("button", { name: "Отправить" }).click();
  }
  async function answer(asked, text) {
    await sees(asked);
    await say(text);
  }
  async function save(at, name) {
    await at.mouse.move(0, 0);
    await at.evaluate(untilPainted);
    const file = join(folder, `seo-bot-${name}.webp`);
    await sharp(await at.screenshot())
      .webp({ quality: 72, effort: 6 })
      .toFile(file);
    console.log(file);
  }
  async function saveBehind(label, name) {
    const [at] = await Promise.all([context.waitForEvent("page"), key(label).click()]);
    await at.setViewportSize(phone);
    await at.waitForLoadState("networkidle");
    await save(at, name);
    await at.close();
  }

  await sees("Вам начислено 1500 токенов");
  await key("Помощь").waitFor();
  await save(page, "1-start");
  await tap("Написать статью на сайт");
  await answer("Как назовём проект?", "Чайная");
  await answer("Как называется компания?", "Два листа");
  await answer("Чем занимается компания?", "весовой чай и посуда");
  await answer("Пришлите адрес сайта", "https://my-site.wordpress.test");
  await tap("Подключить WordPress");
  await answer("Пришлите логин WordPress", "me");
  await answer("Пароли приложений", "molvaDEMO1234yourSITE567");
  await answer("О чём будет статья?", "Листовой чай");
  await tap("Подобрать ключевики");
  await tap("Москва");
  await tap("Подобрать автоматически");
  await key("Всё ОК").waitFor();
  await save(page, "2-phrases");
  await tap("План");
  await sees("Один вопрос");
  await save(page, "3-plan");
  await say("Работаем 12 лет, собрали 3000 заказов, чай возим из Уишаня сами.");
  await sees("Ваш ответ войдёт в статью");
  await key("Создать статью").waitFor();
  // The twins' models answer at once; real ones do not.
  await page.request.post(`${twinUrl}/_control/faults`, {
    data: { provider: "openrouter", fault: { kind: "delay", ms: 4000 }, times: 3 },
  });
  await tap("Создать статью");
  await page
    .locator(".bubble", { hasText: /Прошло 0:0[3-9]/ })
    .last()
    .waitFor();
  await save(page, "4-progress");
  await sees("Статья — Превью");
  await key("Отмена — вернуть токены").waitFor();
  await save(page, "5-preview");
  await saveBehind("Открыть превью", "6-telegraph");
  await tap("Опубликовать");
  await sees("Опубликовано!");
  await key("Открыть статью").waitFor();
  await save(page, "7-published");
  await saveBehind("Открыть статью", "8-site");
  await page.locator(".keyboard-below .key", { hasText: "Меню" }).click();
  await tap("Токены");
  await sees("Выберите пакет");
  await save(page, "9-tokens");
  await context.close();
}

/** Runs in the page. Pictures out of sight are not waited for: they are loaded only when they come into it. */
async function untilPainted() {
  const inSight = [...document.images].filter((image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  await Promise.all([document.fonts.ready, ...inSight.map((image) => image.decode())]);
  for (const _frame of [1, 2]) await new Promise(requestAnimationFrame);
}
