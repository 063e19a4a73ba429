/** A person at the twins' page, in a real browser. */
import type { Browser, Page } from "playwright-core";

export async function openPlayground(browser: Browser, address: string, width = 1280): Promise<Page> {
  const context = await browser.newContext({ locale: "ru-RU", viewport: { width, height: 860 } });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Сообщение" }).fill(text);
  await page.getByRole("button", { name: "Отправить" }).click();
}

/** The last message with this text. */
export const bubble = (page: Page, text: string) => page.locator(".bubble", { hasText: text }).last();
