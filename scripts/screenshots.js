// Takes the pictures of the README and the guides in the demo, started as `npm start` does. With `console` or `seo-bot` only
// those of that guide.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runnerImport } from "vite";
import { prepareConsole, takeConsolePages } from "./screenshots/console.js";
import { takeSeoBot } from "./screenshots/seo-bot.js";
import { root } from "./setup/root.js";

const folder = join(root, "docs", "screenshots");
const arriveWithinMs = 60_000;

const { launchBrowser } = await load("tests/support/browser.ts");
const { freePorts, startMolva } = await load("tests/support/molva.ts");
const { removeEmbeddedPostgres } = await load("src/kernel/postgres/index.ts");

const home = mkdtempSync(join(tmpdir(), "molva-screenshots-"));
let molva;
let browser;
try {
  molva = await startMolva({ home, ...(await freePorts()) });
  browser = await launchBrowser();
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    locale: "ru-RU",
    timezoneId: "Europe/Moscow",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const [only] = process.argv.slice(2);
  if (only !== "seo-bot") await takeConsole(page);
  if (only === undefined) {
    await takeTwins(page);
    await takeVk(page);
    await takePinterest(page);
    await takeCorrection(page);
    await takeWordPress(page);
  }
  if (only !== "console") await takeSeoBot(browser, { twinUrl: molva.twinUrl, folder });
} finally {
  await browser?.close();
  await molva?.interrupt();
  await removeEmbeddedPostgres(home);
  rmSync(home, { recursive: true, force: true });
}

async function takeConsole(page) {
  const [signInLink] = /http\S+\/signin#\S+/.exec(molva.output()) ?? [];
  await page.goto(signInLink);
  await page.getByRole("heading", { name: "Обзор" }).waitFor();
  await untilAllArrived(page);
  await prepareConsole(page, molva.url);
  await page.reload();
  await page.getByText("Вечерний выпуск").first().waitFor();
  await page.locator(".skeleton, [aria-busy=true]").first().waitFor({ state: "detached" });
  await save(page, "console");
  await takeConsolePages(browser, page, { url: molva.url, folder, untilPainted });
}

/** The Telegram channel that takes every post, scrolled to the one with an album. */
async function takeTwins(page) {
  await page.goto(`${molva.twinUrl}/#telegram/-1002000000001`, { waitUntil: "networkidle" });
  const album = page.locator(".post", { hasText: "Четыре дня на Алтае" });
  await album.evaluate((post) => post.scrollIntoView({ block: "end" }));
  await save(page, "twins");
}

/** The wall of the demo's VK community. */
async function takeVk(page) {
  await page.goto(`${molva.twinUrl}/vk/wall/molva_weekend`, { waitUntil: "networkidle" });
  await save(page, "vk");
}

/** The board of the demo's Pinterest account, and the page on which a person gives access to one. */
async function takePinterest(page) {
  const board = encodeURIComponent("идеи-на-выходные");
  await page.goto(`${molva.twinUrl}/pinterest/molva_weekend/${board}/`, { waitUntil: "networkidle" });
  await save(page, "pinterest");
  const asked = await page.request.post(`${molva.url}/api/v1/credentials/pinterest/connect`, {
    headers: { origin: molva.url },
    data: { auth_ref: "my-board" },
  });
  const { url } = await asked.json();
  await page.goto(url, { waitUntil: "networkidle" });
  await save(page, "pinterest-consent");
}

/** The same channel with a post whose mistake was put right. */
async function takeCorrection(page) {
  const { items } = await (await page.request.get(`${molva.url}/api/v1/messages?limit=50`)).json();
  const post = items.find(({ media, deliveries }) => media === 0 && deliveries.sent > 1) ?? items[0];
  const text =
    "Исправлено: мост на Садовой откроют во вторник, 18 ноября, а не в понедельник. Просим прощения за ошибку.";
  const corrected = await page.request.post(`${molva.url}/api/v1/messages/${post.id}/correct`, {
    data: { payload: { text }, reason: "ошибка в дате" },
    headers: { origin: molva.url },
  });
  if (!corrected.ok()) throw new Error(`the post was not corrected: ${await corrected.text()}`);
  await page.goto(`${molva.twinUrl}/#telegram/-1002000000001`, { waitUntil: "networkidle" });
  const shown = page.locator(".post", { hasText: "Исправлено: мост на Садовой" });
  await shown.waitFor({ timeout: arriveWithinMs });
  await shown.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await save(page, "corrections");
}

/** The article on the demo's site, and the site in the twins' page. */
async function takeWordPress(page) {
  const site = `${molva.twinUrl}/wordpress/molva-blog`;
  await page.goto(`${site}/chetyre-dnya-na-altae-marshrut-dlya-novichkov/`, { waitUntil: "networkidle" });
  await save(page, "wordpress");
  await page.goto(`${molva.twinUrl}/#place/wordpress/molva-blog`, { waitUntil: "networkidle" });
  await page.frameLocator("iframe").getByRole("heading", { name: "Новые статьи" }).waitFor();
  await save(page, "wordpress-playground");
}

/** Until no delivery waits any more. */
async function untilAllArrived(page) {
  const deadline = Date.now() + arriveWithinMs;
  for (;;) {
    const { queue } = await (await page.request.get(`${molva.url}/api/v1/overview`)).json();
    if (queue.sent > 0 && queue.queued + queue.claimed + queue.sending + queue.retry === 0) return;
    if (Date.now() > deadline) throw new Error(`the demo posts did not arrive: ${JSON.stringify(queue)}`);
    await delay(200);
  }
}

async function save(page, name) {
  await page.evaluate(untilPainted);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`docs/screenshots/${name}.png`);
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

/** The tests' helpers are TypeScript, which Node 20 cannot read by itself. */
async function load(file) {
  const { module } = await runnerImport(join(root, file), { configFile: false, logLevel: "error" });
  return module;
}
