// The pages of the console in three looks: light, dark, and on a phone.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const pages = [
  { name: "overview", path: "/", ready: "Последние посты" },
  { name: "compose", path: "/compose", ready: "Новый пост" },
  { name: "posts", path: "/posts", ready: "Посты и доставки" },
  { name: "plan", path: "/plan", ready: "План" },
  { name: "channels", path: "/channels", ready: "Каналы" },
  { name: "endpoints", path: "/endpoints", ready: "Точки приёма" },
  { name: "templates", path: "/templates", ready: "Шаблоны" },
  { name: "alerts", path: "/alerts", ready: "Оповещения" },
  { name: "audit", path: "/audit", ready: "Аудит" },
];

const looks = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
];

/** Writes `console/<page>-<look>.webp` to the folder. `signedIn` is a page of an operator whose cookies are used. */
export async function takeConsolePages(browser, signedIn, { url, folder, untilPainted }) {
  const storageState = await signedIn.context().storageState();
  mkdirSync(join(folder, "console"), { recursive: true });
  for (const { name: look, ...options } of looks) {
    const context = await browser.newContext({
      ...{ ...options, storageState, locale: "ru-RU", timezoneId: "Europe/Moscow", reducedMotion: "reduce" },
    });
    const page = await context.newPage();
    for (const { name, path, ready } of pages) {
      await page.goto(`${url}${path}`);
      await page.getByRole("heading", { name: ready }).first().waitFor();
      // Nothing is loading any more: the live stream never ends, so the network is never idle.
      await page.locator(".skeleton, [aria-busy=true]").first().waitFor({ state: "detached" });
      await page.evaluate(untilPainted);
      const file = join("console", `${name}-${look}.webp`);
      await sharp(await page.screenshot())
        .webp({ quality: 72, effort: 6 })
        .toFile(join(folder, file));
      console.log(`docs/screenshots/${file}`);
    }
    await context.close();
  }
}

/** Gives the overview and the plan something to tell: a channel that rests, and posts for the hours and days to come. */
export async function prepareConsole(page, url) {
  const ask = async (path, data) => {
    const answer = await page.request.post(`${url}/api/v1${path}`, { data, headers: { origin: url } });
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  };
  const { items } = await (await page.request.get(`${url}/api/v1/channels?limit=5`)).json();
  await ask(`/channels/${items[2].channel_id}/pause`, { seconds: 7_200, reason: "переезд редакции" });
  const soon = ["Вечерний выпуск", "Прогноз на завтра", "Афиша выходных", "Итоги недели", "Рецепт субботы"];
  for (const [at, text] of soon.entries())
    await ask("/messages", {
      ...{ payload: { text }, channel_ids: [items[at % 2].channel_id] },
      scheduled_for: new Date(Date.now() + (1 + at * 9) * 3_600_000).toISOString(),
    });
}
