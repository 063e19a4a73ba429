import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { addMember, createSignInLink } from "../../src/http/index.ts";
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { accessibilityFindings, openConsole } from "../support/console.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";

let running: RunningSystem;
let browser: Browser;
let receiver: Server;
let receiverUrl: string;
/** What the receiver of webhooks and alerts got, and what it answers. */
const received: { headers: Record<string, unknown>; body: string }[] = [];
let answers = 204;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    response.writeHead(answers).end(answers === 204 ? undefined : "занято");
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const address = receiver.address();
  const port = typeof address === "object" && address ? address.port : 0;
  receiverUrl = `http://127.0.0.1:${port}/hook`;
  [running, browser] = await Promise.all([
    startSystem({ jobs: false, environment: { MOLVA_ALLOW_HOSTS: `127.0.0.1:${port}` } }),
    launchBrowser(),
  ]);
  sql = running.database.sql;
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
  receiver?.close();
});

let sql: Sql;

/** The dialog in front. */
const dialog = (page: Page) => page.getByRole("dialog");
const press = (within: Pick<Page, "getByRole">, name: string) =>
  within.getByRole("button", { name, exact: true }).click();

async function giveReason(page: Page, submit: string): Promise<void> {
  await dialog(page).getByLabel("Причина").fill("плановая работа");
  await press(dialog(page), submit);
}

function postWith(secret: string, text: string): Promise<Response> {
  return fetch(`${running.system.url()}/api/v1/ingest`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-molva-secret": secret },
    body: JSON.stringify({ payload: { text } }),
  });
}

/** The secret of a dialog that shows it once; two presses of Escape must not lose it. */
async function takeSecret(page: Page): Promise<string> {
  const shown = dialog(page).locator("code").first();
  await shown.waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const secret = (await shown.textContent()) ?? "";
  await press(dialog(page), "Сохранено, закрыть");
  await dialog(page).waitFor({ state: "detached" });
  return secret;
}

it("a person opens an endpoint, sees what came in, changes its secret, closes it and deletes it", async () => {
  const page = await openConsole(browser, running, "/endpoints");
  await press(page, "Новая точка приёма");
  await dialog(page).getByLabel("Название").fill("Касса");
  await dialog(page).getByLabel("Из каких сетей").fill("10.0.0.0/99");
  await press(dialog(page), "Создать");
  await dialog(page).getByText("A network such as").first().waitFor();
  await dialog(page).getByLabel("Из каких сетей").fill("127.0.0.1");
  await press(dialog(page), "Создать");
  const curl = dialog(page).locator("code").last();
  await dialog(page).getByText("Попробуйте в терминале").waitFor();
  const command = await curl.textContent();
  const secret = await takeSecret(page);
  expect(command).toContain(`X-Molva-Secret: ${secret}`);
  expect((await postWith(secret, "первый")).status).toBe(200);
  expect((await postWith(secret, "первый")).status).toBe(200);

  await page.getByRole("link", { name: "Касса" }).click();
  await page.getByRole("heading", { name: "Касса", level: 1 }).waitFor();
  await page.getByText("принят", { exact: true }).waitFor();
  await page.getByText("повтор", { exact: true }).waitFor();

  await press(page, "Изменить");
  await dialog(page).getByLabel("Запросов в секунду").fill("7");
  await press(dialog(page), "Сохранить");
  await page.getByText("до 7 в секунду").waitFor();

  await press(page, "Сменить секрет");
  await dialog(page).getByLabel("Сколько ещё действует прежний секрет").selectOption("0");
  await giveReason(page, "Сменить секрет");
  const renewed = await takeSecret(page);
  expect([(await postWith(secret, "второй")).status, (await postWith(renewed, "второй")).status]).toEqual([
    403, 200,
  ]);
  await page.getByText("уже не подходит").waitFor();

  await press(page, "Принимать подписанные");
  await giveReason(page, "Получить секрет подписи");
  expect(await takeSecret(page)).toMatch(/^whsec_/);

  await press(page.locator("main"), "Закрыть");
  await giveReason(page, "Закрыть");
  await page.getByText("Точка закрыта").waitFor();
  expect((await postWith(renewed, "третий")).status).toBe(403);

  await press(page, "Удалить");
  await dialog(page).getByLabel("Причина").fill("касса закрылась");
  expect(await dialog(page).getByRole("button", { name: "Удалить" }).isDisabled()).toBe(true);
  await dialog(page).getByLabel("Чтобы подтвердить").fill("Касса");
  await press(dialog(page), "Удалить");
  await page.waitForURL("**/endpoints");
  const rows = await sql`
    select replaced_by, ingress_rps::int, networks from delivery.workspace_endpoints where meta ->> 'name' = 'Касса'`;
  expect(rows).toMatchObject([{ ingress_rps: 7, networks: ["127.0.0.1"], replaced_by: expect.any(String) }]);
  await page.context().close();
});

it("a viewer sees endpoints, webhooks, alerts and workspaces, and nothing to press there", async () => {
  const [endpoint] =
    await sql`select endpoint_id from delivery.workspace_endpoints where kind = 'webhook_push' limit 1`;
  const page = await openConsole(browser, running, `/endpoints/${endpoint?.endpoint_id}`, { role: "viewer" });
  await page.getByRole("heading", { name: "Что приходило" }).waitFor();
  const buttons = () =>
    page.locator("main").getByRole("button").filter({ hasNotText: "Показать ещё" }).allTextContents();
  // Copying the address changes nothing.
  expect((await buttons()).filter((words) => words !== "")).toEqual([]);
  for (const [path, title] of [
    ["/webhooks", "Вебхуки"],
    ["/alerts", "Оповещения"],
    ["/workspaces", "Пространства"],
  ] as const) {
    await page.goto(`${running.system.url()}${path}`);
    await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
    await page.locator("[aria-busy='true'], .skeleton").first().waitFor({ state: "detached" });
    expect(await buttons()).toEqual([]);
  }
  const refused = await page.evaluate(`fetch("/api/v1/endpoints?workspace_id=${demo.workspaceId}", {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name: "Чужая" }),
  }).then(({ status }) => status)`);
  expect(refused).toBe(403);
  await page.context().close();
});

it("an admin invites and takes the invitation back, and cannot stop being the last admin", async () => {
  await sql`delete from molva.memberships where workspace_id = ${demo.workspaceId}`;
  const page = await openConsole(browser, running, "/operators", { role: "admin" });
  await press(page, "Пригласить");
  await dialog(page).getByLabel("Логин или почта").fill("boris@example.org");
  await dialog(page).getByLabel("Наблюдатель").check();
  await press(dialog(page), "Получить ссылку");
  expect(await takeSecret(page)).toMatch(/^http/);
  const invitations = () => sql`select login, role from molva.invitations where login = 'boris@example.org'`;
  expect(await invitations()).toMatchObject([{ role: "viewer" }]);
  await press(page, "Отозвать приглашение: boris@example.org");
  await giveReason(page, "Отозвать");
  await page.getByText("Приглашение boris@example.org отозвано.").waitFor();
  expect(await invitations()).toEqual([]);

  const [own] = await sql`
    select m.operator_id, o.login from molva.memberships m join molva.operators o on o.id = m.operator_id
    where m.role = 'admin' and m.workspace_id = ${demo.workspaceId}`;
  await press(page, `Убрать: ${own?.login}`);
  await giveReason(page, "Убрать");
  await page.getByText("Это последний администратор пространства").waitFor();
  await press(dialog(page), "Отмена");

  const [other] = await sql`
    insert into molva.operators (login, name, created_at) values ('vera@example.org', 'Вера', now()) returning id`;
  const now = clock.now();
  await addMember(sql, { workspaceId: demo.workspaceId, operatorId: other?.id, role: "viewer", now });
  await page.reload();
  await press(page, "Сменить роль: vera@example.org");
  await dialog(page).getByRole("radio", { name: "Оператор" }).check();
  await giveReason(page, "Сохранить");
  await page.getByText("vera@example.org: теперь оператор.").waitFor();
  const role = () => sql`select role from molva.memberships where operator_id = ${other?.id}`;
  expect(await role()).toMatchObject([{ role: "operator" }]);
  await press(page, "Убрать: vera@example.org");
  await giveReason(page, "Убрать");
  await page.getByText("vera@example.org больше не участник.").waitFor();
  expect(await role()).toEqual([]);
  await page.context().close();
});

it("a person sees where they are signed in and signs out everywhere else", async () => {
  const page = await openConsole(browser, running, "/sessions");
  const [own] = await sql`select id, login from molva.operators order by created_at desc, id desc limit 1`;
  const link = await createSignInLink(sql, own?.login, { clock });
  await fetch(`${running.system.url()}/api/v1/session`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Mozilla/5.0 (iPhone) Version/17.5 Safari/604.1",
    },
    body: JSON.stringify({ link }),
  });
  await page.reload();
  await page.getByText("Safari, iPhone").waitFor();
  await page.getByText("этот", { exact: true }).waitFor();
  await press(page, "Закончить все остальные");
  await press(dialog(page), "Закончить все остальные");
  await page.getByText("Сеанс закончен.").waitFor();
  expect(await sql`select from molva.sessions where operator_id = ${own?.id}`).toHaveLength(1);
  await page.getByLabel("Чьи сеансы").selectOption("true");
  await page.waitForURL("**/sessions?all=true");
  await page.getByRole("columnheader", { name: "Кто" }).waitFor();
  await page.context().close();
});

it("a token works from the networks it was given, which can be changed", async () => {
  const page = await openConsole(browser, running, "/tokens");
  await page.getByRole("button", { name: "Новый токен" }).first().click();
  await dialog(page).getByLabel("Название").fill("n8n");
  await dialog(page).getByLabel("Из каких сетей").fill("203.0.113.0/24");
  await press(dialog(page), "Создать токен");
  await press(dialog(page), "Готово");
  await page.getByText("Работает только из 203.0.113.0/24 · создан оператором «Анна»").waitFor();
  await press(page, "Сети токена «n8n»");
  await dialog(page).getByLabel("Из каких сетей").fill("");
  await press(dialog(page), "Сохранить");
  await page.getByText("Работает откуда угодно").waitFor();
  expect(await sql`select networks from molva.api_tokens where name = 'n8n'`).toMatchObject([
    { networks: [] },
  ]);
  await page.context().close();
});

it("an administrator filters the audit, checks that it is whole, and hears when it is not", async () => {
  const page = await openConsole(browser, running, "/audit");
  await page.getByLabel("Что", { exact: true }).selectOption("signin.succeeded");
  await page.waitForURL("**/audit?action=signin.succeeded");
  await page.getByRole("rowheader").filter({ hasText: "Вход" }).first().waitFor();
  await page.getByRole("button", { name: "Сбросить" }).waitFor();
  await page
    .getByRole("rowheader")
    .filter({ hasText: "Изменена настройка" })
    .first()
    .waitFor({ state: "detached" });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Скачать CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("molva-audit.csv");
  await press(page, "Проверить целостность");
  await page.getByText("Всё на месте").waitFor();

  // Somebody with access to the database, past the trigger that forbids it.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update audit.entries set action = 'nothing.happened'
             where (chain_id, seq) in (select chain_id, seq from audit.entries where action = 'config_changed' limit 1)`;
  });
  await press(page, "Проверить целостность");
  await page.getByText("содержание не то, что было записано").first().waitFor();
  await page.context().close();
});

it("a webhook is made, tested, replayed, given another secret and deleted", async () => {
  const page = await openConsole(browser, running, "/webhooks", { role: "admin" });
  await page.getByRole("button", { name: "Новый вебхук" }).first().click();
  await dialog(page).getByLabel("Адрес").fill(receiverUrl);
  await dialog(page).getByLabel("Обо всём").uncheck();
  await dialog(page).getByLabel("Пост вышел").check();
  await press(dialog(page), "Создать");
  expect(await takeSecret(page)).toMatch(/^whsec_/);
  const hook = async () => (await sql`select * from delivery.webhooks`)[0];
  expect(await hook()).toMatchObject({ url: receiverUrl, types: ["delivery.sent"], enabled: true });

  await page.getByRole("link", { name: "127.0.0.1" }).click();
  answers = 503;
  await press(page, "Проверить");
  await page.getByText("Проверка не дошла: получатель ответил 503.").waitFor();
  answers = 204;
  await press(page, "Проверить");
  await page.getByText("Проверка дошла, получатель ответил 204.").waitFor();
  expect(received.at(-1)?.headers["webhook-signature"]).toMatch(/^v1,/);

  await sql`update delivery.webhook_messages set status = 'failed', ended_at = now() where status = 'waiting'`;
  await page.goto(`${page.url()}?status=failed`);
  await page.getByRole("button", { name: "Проверка", exact: true }).click();
  await dialog(page).getByText("занято").waitFor();
  await dialog(page).getByText('"type": "webhook.test"').waitFor();
  await press(dialog(page), "Отправить снова");
  await page.getByText("Снова в пути: 1 сообщение.").waitFor();
  expect(await sql`select from delivery.webhook_messages where status = 'waiting'`).toHaveLength(1);

  await sql`update delivery.webhook_messages set status = 'failed', ended_at = now() where status = 'waiting'`;
  await page.reload();
  await press(page, "Отправить недошедшие…");
  await giveReason(page, "Отправить снова");
  await page.getByText("Снова в пути: 1 сообщение.").waitFor();
  expect(await sql`select from delivery.webhook_messages where status = 'waiting'`).toHaveLength(1);

  const before = await hook();
  await press(page, "Сменить секрет");
  await giveReason(page, "Сменить секрет");
  await takeSecret(page);
  expect(await hook()).toMatchObject({ previous_secret_ref: before?.secret_ref });

  await press(page, "Выключить");
  await giveReason(page, "Выключить");
  await page.getByText("Вебхук выключен.").waitFor();
  expect(await hook()).toMatchObject({ enabled: false });
  await press(page, "Удалить");
  await dialog(page).getByLabel("Причина").fill("больше не нужен");
  const name = await page.getByRole("heading", { level: 1 }).textContent();
  await dialog(page)
    .getByLabel("Чтобы подтвердить")
    .fill(name ?? "");
  await press(dialog(page), "Удалить");
  await page.waitForURL("**/webhooks");
  expect(await hook()).toBeUndefined();
  await page.context().close();
});

it("alerts get a target that is tested, changed and deleted, and thresholds of one's own", async () => {
  const page = await openConsole(browser, running, "/alerts", { role: "admin" });
  await press(page, "Новый получатель");
  await dialog(page).getByLabel("Куда").selectOption("webhook");
  await dialog(page).getByLabel("Адрес").fill(receiverUrl);
  await press(dialog(page), "Добавить");
  const told = received.length;
  await page.getByRole("button", { name: /^Проверить: / }).click();
  await page.getByText("Проверка дошла.").waitFor();
  expect(JSON.parse(received[told]?.body ?? "{}")).toMatchObject({ type: "alert.test" });

  await page.getByRole("button", { name: /^Изменить: / }).click();
  await dialog(page).getByLabel("Язык").selectOption("en");
  await dialog(page).getByLabel("Сообщать сюда").uncheck();
  await press(dialog(page), "Сохранить");
  await page.getByText("выключен", { exact: true }).waitFor();
  expect(
    await sql`select language, enabled, config ->> 'url' as url from delivery.alert_targets`,
  ).toMatchObject([{ language: "en", enabled: false, url: receiverUrl }]);

  await press(page, "Настроить");
  await dialog(page).getByLabel("Отказов за 10 минут").fill("3");
  await dialog(page).getByLabel("Не повторяться, минут").fill("15");
  await press(dialog(page), "Сохранить");
  await page.getByText("если больше 3").waitFor();
  expect(await sql`select * from delivery.monitor_settings`).toMatchObject([
    { failed_permanent_threshold: 3, alert_cooldown_seconds: 900 },
  ]);

  const [target] = await sql`select target_id from delivery.alert_targets`;
  await sql`
    with raised as (
      insert into delivery.alerts (workspace_id, alert_id, alert_fingerprint, reasons, findings, created_at)
      values (${demo.workspaceId}, molva.uuidv7(now()), 'проба', '{dead_deliveries}',
        '[{"reason": "dead_deliveries", "count": 4, "threshold": 0, "examples": [{"count": 4, "channel": "Новости"}]}]', now())
      returning *
    )
    insert into delivery.alert_sends (workspace_id, alert_id, target_id, status, attempts)
    select workspace_id, alert_id, ${target?.target_id}, 'sent', 1 from raised`;
  await page.reload();
  await page.getByText("Доставки, у которых закончились попытки: 4").waitFor();
  await page.getByText("дошло", { exact: true }).waitFor();

  await page.getByRole("button", { name: /^Удалить: / }).click();
  await giveReason(page, "Удалить");
  await page.getByText("Сообщать некому").waitFor();
  expect(await sql`select from delivery.alert_targets`).toEqual([]);
  await page.context().close();
});

it("a workspace is made, renamed, paused, disabled, and deleted only after it was exported", async () => {
  const page = await openConsole(browser, running, "/workspaces");
  const choose = async (action: string) => {
    await page.getByRole("button", { name: /^Что сделать с «Филиал/ }).click();
    await page.getByRole("menuitem", { name: action, exact: true }).click();
  };
  const known = async () =>
    (await sql`select name, status, timezone from workspaces.workspaces where name like 'Филиал%'`)[0];
  await press(page, "Новое пространство");
  await dialog(page).getByLabel("Название").fill("Филиал");
  await dialog(page).getByLabel("Часовой пояс").fill("Asia/Omsk");
  await press(dialog(page), "Создать");
  await page.getByText("«Филиал» создано").waitFor();
  expect(await known()).toEqual({ name: "Филиал", status: "active", timezone: "Asia/Omsk" });

  await choose("Изменить");
  await dialog(page).getByLabel("Название").fill("Филиал в Омске");
  await press(dialog(page), "Сохранить");
  await page.getByRole("rowheader", { name: "Филиал в Омске" }).waitFor();
  await choose("Поставить на паузу");
  await giveReason(page, "Поставить на паузу");
  await page.getByText("«Филиал в Омске» на паузе.").waitFor();
  expect(await known()).toMatchObject({ name: "Филиал в Омске", status: "paused" });
  await choose("Возобновить");
  await giveReason(page, "Возобновить");
  await page.getByText("«Филиал в Омске» снова работает.").waitFor();

  await choose("Отключить");
  await dialog(page).getByLabel("Чтобы подтвердить").fill("Филиал в Омске");
  await giveReason(page, "Отключить");
  await page.getByText("«Филиал в Омске» отключено.").waitFor();
  await choose("Удалить навсегда");
  await dialog(page).getByLabel("Чтобы подтвердить").fill("Филиал в Омске");
  await giveReason(page, "Удалить навсегда");
  await page.getByText("Сначала выгрузите пространство").waitFor();
  expect(await known()).toMatchObject({ status: "disabled" });
  await press(dialog(page), "Отмена");

  await choose("Выгрузить");
  const [download] = await Promise.all([page.waitForEvent("download"), giveReason(page, "Выгрузить")]);
  expect(download.suggestedFilename()).toMatch(/^molva-.*\.ndjson$/);
  expect(await download.failure()).toBeNull();
  await choose("Удалить навсегда");
  await dialog(page).getByLabel("Чтобы подтвердить").fill("Филиал в Омске");
  await giveReason(page, "Удалить навсегда");
  await page.getByText("«Филиал в Омске» удалено.").waitFor();
  expect(await known()).toBeUndefined();
  await page.context().close();
});

it("every page of the office is accessible, light and dark, and fits a phone", async () => {
  const [endpoint] =
    await sql`select endpoint_id from delivery.workspace_endpoints where kind = 'webhook_push' limit 1`;
  const page = await openConsole(browser, running, "/");
  const places = [
    "operators",
    "sessions",
    "tokens",
    "audit",
    "webhooks",
    "alerts",
    "workspaces",
    "endpoints",
  ];
  for (const path of [...places, `endpoints/${endpoint?.endpoint_id}`]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${running.system.url()}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("[aria-busy='true'], .skeleton").first().waitFor({ state: "detached" });
    for (const [colorScheme, width] of [
      ["dark", 1280],
      ["light", 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect({ path, width, findings: await accessibilityFindings(page) }).toEqual({
        path,
        width,
        findings: [],
      });
      expect(
        await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
        `${path} ${width}`,
      ).toBe(true);
    }
  }
  await page.context().close();
});
