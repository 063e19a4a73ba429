import { TOTP } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addOperator, createSignInLink, setPassword, signInUrl } from "../../src/http/index.ts";
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import { generateKey } from "../../src/kernel/crypto/index.ts";
import { silentLog as log } from "../../src/kernel/log/index.ts";
import { createSystem, type System } from "../../src/main.ts";
import { configFrom } from "../../src/modules.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { launchBrowser } from "../support/browser.ts";
import { databaseWithJobs, type TestDatabase } from "../support/database.ts";
import { freePorts } from "../support/molva.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

/** A person who comes in through a provider, must set up a second factor, and uses it: in a real browser. */
const login = "anna@example.org";
const password = "verbal-marmalade-42";

let database: TestDatabase;
let twins: TestTwins;
let system: System;
let browser: Browser;
let url: string;

beforeAll(async () => {
  const { port } = await freePorts();
  url = `http://127.0.0.1:${port}`;
  [database, twins, browser] = await Promise.all([databaseWithJobs(), startTestTwins(), launchBrowser()]);
  const redirect_uris = [`${url}/api/v1/session/oidc/callback`];
  await twins.control("POST", "/oidc/clients", { client_id: "molva", client_secret: "s", redirect_uris });
  await twins.control("POST", "/oidc/accounts", { sub: "1", name: "Анна", email: login });
  await addOperator(database.sql, { login, name: "Анна", clock });
  await database.sql`update molva.operators set administrator = true where login = ${login}`;
  const environment = {
    ...{ MOLVA_HOME: tempFolder("signing-in"), MOLVA_PORT: String(port), DATABASE_URL: database.url },
    ...{ MOLVA_ENCRYPTION_KEYS: generateKey(), MOLVA_REQUIRE_SECOND_FACTOR: "true" },
    ...{ OIDC_ISSUER: `${twins.url}/oidc`, OIDC_CLIENT_ID: "molva", OIDC_CLIENT_SECRET: "s" },
    OIDC_NAME: "Компания",
  };
  system = await createSystem({
    ...{ config: configFrom(environment), environment, databaseUrl: database.url, roles: ["api"], log },
  });
  await system.start();
});
afterAll(async () => {
  await browser?.close();
  await system?.stop();
  await twins?.close();
  await database?.drop();
});

async function open(address: string): Promise<Page> {
  const context = await browser.newContext({ locale: "ru-RU", viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.on("pageerror", (error) => expect.fail(`the page failed: ${error.message}`));
  await page.goto(address);
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

it("a person signs in through the provider, sets up a second factor, and then needs it with a password and a link", async () => {
  const page = await open(`${url}/tokens`);
  await page.getByRole("link", { name: "Войти через Компания" }).click();
  await page.getByText(login).waitFor();
  await button(page, "Войти").click();

  await page.getByText("Здесь у каждого должен быть второй фактор").waitFor();
  expect(new URL(page.url()).pathname).toBe("/tokens");
  await button(page, "Настроить").click();
  const picture = page.getByRole("img", { name: "QR-код для приложения-аутентификатора" });
  await picture.waitFor();
  await until("the QR code is drawn", () =>
    page.evaluate("document.querySelector('.factor-qr').naturalWidth > 0"),
  );
  const secret = (await page.locator(".copy-line code").textContent()) ?? "";
  await page.getByRole("textbox", { name: "Код из приложения" }).fill(new TOTP({ secret }).generate());
  await button(page, "Подтвердить").click();
  await page.locator(".recovery-codes li").first().waitFor();
  const codes = await page.locator(".recovery-codes li").allInnerTexts();
  expect(codes).toHaveLength(10);
  await button(page, "Коды сохранены").click();
  await page.getByRole("heading", { name: "Токены API" }).waitFor();
  await page.context().close();

  await setPassword(database.sql, { login, password });
  const second = await open(`${url}/account`);
  await second.getByRole("textbox", { name: "Логин" }).fill(login);
  await second.getByRole("textbox", { name: "Пароль" }).fill(password);
  await button(second, "Войти").click();
  await second.getByRole("heading", { name: "Подтвердите вход" }).waitFor();
  await second.getByRole("textbox", { name: "Код из приложения" }).fill("000000");
  await button(second, "Войти").click();
  await second.getByText("Код неверный или уже использован").waitFor();
  await button(second, "Телефона нет под рукой").click();
  await second.getByRole("textbox", { name: "Код восстановления" }).fill(codes[0] ?? "");
  await button(second, "Войти").click();
  await second.getByText("При каждом входе нужен код из приложения.").waitFor();
  await second.context().close();

  const link = await createSignInLink(database.sql, login, { clock });
  const third = await open(signInUrl(url, link ?? ""));
  await third.getByRole("heading", { name: "Подтвердите вход" }).waitFor();
  await third.context().close();
});

it("somebody whom nobody has invited is told so", async () => {
  await twins.control("POST", "/oidc/accounts", { sub: "1", name: "Пётр", email: "petr@example.org" });
  await database.sql`delete from molva.oidc_identities`;
  const page = await open(url);
  await page.getByRole("link", { name: "Войти через Компания" }).click();
  await button(page, "Войти").click();
  await page.getByText("Оператора с вашим адресом почты здесь нет.").waitFor();
  expect(page.url()).toBe(`${url}/signin`);
  await page.context().close();
});
