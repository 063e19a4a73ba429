import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paths } from "../../src/kernel/paths/index.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { launchBrowser } from "../support/browser.ts";
import { openPlayground } from "../support/playground.ts";

/** The twins alone, and a person who looks at a site in a browser. */
let twins: TestTwins;
let browser: Browser;
let access_token: string;

beforeAll(async () => {
  twins = await startTestTwins({ web: paths.web });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await twins.close();
});
beforeEach(async () => {
  await twins.control("POST", "/reset");
  const account = await telegraph("createAccount", { short_name: "shop", author_name: "Мебель у дома" });
  access_token = account.access_token;
});

async function telegraph(method: string, params: object): Promise<ReturnType<typeof JSON.parse>> {
  const response = await fetch(`${twins.url}/telegraph/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(params),
  });
  return JSON.parse(await response.text()).result;
}

const publish = (title: string) =>
  telegraph("createPage", {
    access_token,
    title,
    content: [
      { tag: "p", children: ["Диван выбирают на годы."] },
      {
        tag: "figure",
        children: [
          { tag: "img", attrs: { src: `${twins.url}/demo/lake.jpg` } },
          { tag: "figcaption", children: ["Озеро, у которого стоял бы диван"] },
        ],
      },
    ],
  });

const rowOf = (page: Page) => page.getByRole("list", { name: "Сайты и сети" }).getByRole("link");

describe("a person at the twins' page", () => {
  // covers networks: Twins: beside the chats in the playground
  it("sees a site appear and its count grow as pages are published", async () => {
    const page = await openPlayground(browser, twins.url);
    await rowOf(page).filter({ hasText: "Telegraph · Пока ничего не опубликовано" }).waitFor();
    await publish("Как выбрать диван");
    await rowOf(page).filter({ hasText: "Telegraph · 1 страница" }).waitFor();
    await publish("Уход за диваном");
    await rowOf(page).filter({ hasText: "Telegraph · 2 страницы" }).waitFor();
    expect(await rowOf(page).count()).toBe(1);
    await page.context().close();
  });

  // covers networks: Twins: beside the chats in the playground
  it("opens the site in the page, reads an article there and sees the next one at once", async () => {
    await publish("Как выбрать диван");
    const page = await openPlayground(browser, twins.url);
    await rowOf(page).click();
    expect(new URL(page.url()).hash).toBe("#place/telegraph/1");
    const site = page.frameLocator("iframe");
    await site.getByRole("link", { name: "Как выбрать диван" }).waitFor();
    await publish("Уход за диваном");
    await site.getByRole("link", { name: "Уход за диваном" }).click();
    await site.getByRole("heading", { name: "Уход за диваном" }).waitFor();
    await site.getByText("Озеро, у которого стоял бы диван").waitFor();
    await page.context().close();
  });

  it("finds a site by a word, and by its provider", async () => {
    const page = await openPlayground(browser, twins.url);
    await rowOf(page).waitFor();
    await page.getByRole("searchbox", { name: "Поиск" }).fill("мебель");
    expect(await rowOf(page).count()).toBe(1);
    await page.getByRole("searchbox", { name: "Поиск" }).fill("обувь");
    await page.getByText("По запросу «обувь» ничего не нашлось").waitFor();
    await page.context().close();
  });

  it("goes to a site and back on a phone", async () => {
    await publish("Как выбрать диван");
    const page = await openPlayground(browser, twins.url, 390);
    await rowOf(page).click();
    await page.frameLocator("iframe").getByRole("link", { name: "Как выбрать диван" }).waitFor();
    expect(await rowOf(page).isVisible()).toBe(false);
    await page.getByRole("button", { name: "К списку чатов" }).click();
    await rowOf(page).waitFor();
    await page.context().close();
  });

  it("is told when the address leads to no site", async () => {
    const page = await openPlayground(browser, `${twins.url}/#place/telegraph/99`);
    await page.getByText("Такого сайта нет").waitFor();
    await page.context().close();
  });
});
