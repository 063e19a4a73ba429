import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preparationOf, worldOf } from "../../../../tests/contract/preparation.ts";
import { world as vkWorld } from "../../../../tests/contract/vk/preparation.ts";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import {
  anotherProject,
  answer,
  isKept,
  isReadable,
  pressed,
  seoOwner,
} from "../../../../tests/support/seo-owner.ts";
import { demo } from "../../../delivery/index.ts";
import { twinApp } from "../../../platforms/pinterest/index.ts";

let harness: SeoBotHarness;
let url: string;
const publicUrl = "http://molva.example";
const token = `1001:${"A".repeat(35)}`;
const channelId = -1001234567890;

beforeAll(async () => {
  harness = await startSeoBot({ business: false, environment: { MOLVA_PUBLIC_URL: publicUrl } });
  for (const platform of ["telegram", "vk"])
    for (const { path, body } of worldOf(platform, await preparationOf(platform)))
      await harness.control("POST", path, body);
  url = harness.running.system.url();
  const app = { client_id: twinApp.id, client_secret: twinApp.secret, name: "SEO Master" };
  await harness.control("POST", "/pinterest/apps", {
    ...{ ...app, redirect_uris: [`${publicUrl}/api/auth/pinterest/callback`] },
  });
  // The consent page offers the demo's account first.
  const { username } = demo.pinterest.account;
  for (let number = 1; number <= 10; number += 1)
    await harness.control("POST", "/pinterest/boards", {
      ...{ id: `5497558851${number}`, username, name: `Доска ${number}` },
    });
});
afterAll(() => harness.close());

/** A page of this server, by its public address. */
const visit = (address: string, cookie = "") =>
  fetch(address.replace(publicUrl, url), { headers: { cookie }, redirect: "manual" });

const begin = async (person: SeoPerson, project: number, platform: string) => {
  await person.tap(`project:${project}:connect:${platform}`);
  return (await person.screen()).text;
};

const fault = (provider: string, method: string, kind: object, times = 1) =>
  harness.control("POST", "/faults", { provider, method, fault: kind, times });

describe("connecting a Telegram channel", () => {
  const rights = (member: object) =>
    harness.control("PATCH", `/telegram/chats/${channelId}`, { members: [{ bot: "shop_bot", ...member }] });

  // covers seo: F15
  it("takes the channel and a bot's token, and deletes the token's message", async () => {
    const { person, projectId } = await seoOwner(harness);
    expect(await begin(person, projectId, "telegram")).toContain("Telegram (1/2)");
    expect(await person.stands()).toBe("ConnectTelegram.channel");
    for (const wrong of ["канал", "12345", "t.me/+AbCdEf", "@ab"])
      expect(await answer(person, wrong)).toContain("Введите @channel, t.me/channel или числовой ID");
    expect(await answer(person, "t.me/shop_news")).toContain("Telegram (2/2)");
    expect(await person.stands()).toBe("ConnectTelegram.token");
    const links = (await person.screen()).buttons.flat().map((button) => button.url);
    expect(links).toContain("https://t.me/BotFather");
    expect(await answer(person, "not-a-token")).toContain("Токен невалиден. Получите токен у @BotFather");
    expect(await answer(person, `9999:${"B".repeat(35)}`)).toContain("Токен невалиден");
    expect(await person.stands()).toBe("ConnectTelegram.token");
    expect(await answer(person, token)).toContain("Telegram подключён! Канал: Новости магазина");
    expect(await isReadable(person, token)).toBe(false);
    expect(await isKept(harness, token)).toBe(false);
    await person.tap("dashboard");
    // Somebody else's channel is taken.
    const other = await seoOwner(harness);
    await begin(other.person, other.projectId, "telegram");
    await answer(other.person, String(channelId));
    expect(await answer(other.person, token)).toContain("Канал уже подключён");
    // Another project of one's own asks first.
    const { projectId: second } = await anotherProject(harness, person, { name: "Второй" });
    await begin(person, second, "telegram");
    await answer(person, "@shop_news");
    expect(await answer(person, token)).toContain("Этот канал уже подключён к проекту «Лавка»");
    expect(await pressed(person, "Подключить всё равно")).toContain("Telegram подключён!");
    await harness.sql`delete from seo.projects where workspace_id = ${harness.workspaceId} and user_id = ${person.id}`;
  });

  it("wants the bot to be an administrator, and checks again once it is", async () => {
    const { person, projectId } = await seoOwner(harness);
    await rights({ status: "member" });
    await begin(person, projectId, "telegram");
    await answer(person, "@shop_news");
    expect(await answer(person, token)).toContain("Бот не является администратором @shop_news.");
    expect((await person.screen()).buttons.flat().map(({ text }) => text)).toEqual([
      ...["Проверить снова", "Другой канал", "К подключениям", "Отмена"],
    ]);
    expect(await pressed(person, "Проверить снова")).toContain("Бот не является администратором @shop_news.");
    expect(await pressed(person, "Другой канал")).toContain("Telegram (1/2)");
    await answer(person, "@shop_news");
    await answer(person, token);
    await rights({ status: "administrator", can_post_messages: true });
    expect(await pressed(person, "Проверить снова")).toContain("Telegram подключён!");
    expect(await pressed(person, "Переподключить Telegram")).toContain("Telegram (2/2)");
    expect(await answer(person, token)).toContain("Telegram подключён!");
  });

  it("survives a token that was sent while Telegram does not answer", async () => {
    const { person, projectId } = await seoOwner(harness, { language: "en" });
    await begin(person, projectId, "telegram");
    expect(await answer(person, "hello")).toContain("Give @channel");
    await answer(person, "@shop_news");
    await fault("telegram", "getChat", { kind: "status", status: 500 });
    expect(await answer(person, token)).toContain("does not answer");
    expect((await person.screen()).text).not.toMatch(/[а-яё]/i);
  });
});

describe("connecting a community of VK", () => {
  it("lists the communities of a token with their members, and connects the chosen one", async () => {
    const { person, projectId } = await seoOwner(harness);
    expect(await begin(person, projectId, "vk")).toContain("VK (1/2)");
    expect(await person.stands()).toBe("ConnectVK.token");
    expect(await answer(person, "ключ")).toContain("Токен VK не подходит");
    expect(await answer(person, "vk1.a.nobodys-key")).toContain("VK не принимает токен");
    expect(await answer(person, vkWorld.vkId)).toContain("VK ID");
    expect(await person.stands()).toBe("ConnectVK.token");
    expect(await answer(person, vkWorld.administrator)).toContain("VK (2/2)");
    expect(await person.stands()).toBe("ConnectVK.select_group");
    expect(await isReadable(person, vkWorld.administrator)).toBe(false);
    expect(await isKept(harness, vkWorld.administrator)).toBe(false);
    const [label = ""] = (await person.labels()).filter((each) => each.includes("Лавка чая"));
    expect(label).toMatch(/1\s240 участников/);
    expect(await pressed(person, label)).toContain("VK подключён! Группа: Лавка чая");
    const card = await person.stands();
    expect(card).toMatch(/^screen:connection:\d+:card$/);
    // Another token for the same community.
    expect(await pressed(person, "Переподключить VK")).toContain("VK (1/2)");
    expect(await answer(person, vkWorld.administrator)).toContain("VK подключён!");
    expect(await person.stands()).toBe(card);
  });

  it("tells errors of VK's API, and tries again or with another token", async () => {
    const { person, projectId } = await seoOwner(harness);
    await begin(person, projectId, "vk");
    await fault("vk", "groups.get", { kind: "status", status: 400, code: 9, description: "Flood control" });
    expect(await answer(person, vkWorld.administrator)).toContain("Ошибка VK API: Flood control");
    expect((await person.screen()).buttons.flat().map(({ text }) => text)).toEqual([
      ...["Повторить", "Переподключить VK", "К подключениям", "Отмена"],
    ]);
    expect(await pressed(person, "Повторить")).toContain("VK (2/2)");
    await person.press("← Назад");
    expect(await person.stands()).toBe("ConnectVK.token");
    expect(await answer(person, vkWorld.community)).toContain("VK (2/2)");
    const [label = ""] = (await person.labels()).filter((each) => each.includes("Лавка чая"));
    expect(await pressed(person, label)).toContain("Нужен токен человека");
    expect(await pressed(person, "Переподключить VK")).toContain("VK (1/2)");
    expect(await answer(person, vkWorld.moderator)).toContain("нет сообществ");
  });
});

describe("connecting a board of Pinterest", () => {
  /** What a person does in the browser; returns where Pinterest's page leads at last. */
  async function authorise(person: SeoPerson, decision: "allow" | "deny" = "allow") {
    const link = (await person.screen()).buttons
      .flat()
      .find(({ text }) => text === "Авторизоваться в Pinterest");
    const opened = await visit(link?.url ?? "");
    const cookie = opened.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const page = opened.headers.get("location") ?? "";
    const account = /value="(\d+)"/.exec(await (await fetch(page)).text())?.[1] ?? "";
    const body = new URLSearchParams({ decision, account });
    const back = await fetch(page, { method: "POST", body, redirect: "manual" });
    const ended = await visit(back.headers.get("location") ?? "", cookie);
    const [start = null] = /pinterest_auth_\w+$/.exec(ended.headers.get("location") ?? "") ?? [];
    return { ended, start };
  }

  it("gets access in the browser, comes back by the bot's link and lets a board be chosen page by page", async () => {
    const { person, projectId } = await seoOwner(harness);
    expect(await begin(person, projectId, "pinterest")).toContain("Pinterest (1/2)");
    expect(await person.stands()).toBe("ConnectPinterest.oauth_callback");
    const { start, ended } = await authorise(person);
    expect(ended.headers.get("location")).toContain(`/#return/telegram/${person.id}/pinterest_auth_`);
    expect(await answer(person, `/start ${start}`)).toContain("Pinterest (2/2)");
    expect(await person.stands()).toBe("ConnectPinterest.select_board");
    expect(await person.labels()).toContain("1/2");
    await pressed(person, "▶");
    const boards = (await person.labels()).filter((each) => each.startsWith("Доска"));
    expect(boards).toHaveLength(3);
    expect(await pressed(person, boards[0] ?? "")).toContain(`Pinterest подключён! Доска: ${boards[0]}`);
    expect(await isKept(harness, "pina_")).toBe(false);
  });

  // covers seo: E21
  it("says that no access was given, and begins again", async () => {
    const { person, projectId } = await seoOwner(harness);
    await begin(person, projectId, "pinterest");
    const { ended } = await authorise(person, "deny");
    expect(ended.status).toBe(400);
    expect(await answer(person, "/start pinterest_auth_00000000000000000000000000000000")).toContain(
      "Не удалось подключить Pinterest: доступ не дан или ссылка устарела.",
    );
    expect((await person.screen()).buttons.flat().map(({ text }) => text)).toEqual([
      ...["Попробовать снова", "К подключениям", "Отмена"],
    ]);
    expect(await pressed(person, "Попробовать снова")).toContain("Pinterest (1/2)");
    const { start } = await authorise(person);
    await fault("pinterest", "GET /boards", { kind: "status", status: 429 });
    expect(await answer(person, `/start ${start}`)).toContain(
      "Pinterest ограничил запросы. Попробуйте через 15 минут.",
    );
    expect(await pressed(person, "Повторить через 15 мин")).toContain("Pinterest (2/2)");
  });

  // covers seo: E20
  it("is called off after half an hour, and a late return says so", async () => {
    const { person, projectId } = await seoOwner(harness);
    await begin(person, projectId, "pinterest");
    const { start } = await authorise(person);
    await person.fallSilent();
    await person.sees("Подключение Pinterest отменено. Попробуйте снова.");
    expect(await person.stands()).not.toContain("ConnectPinterest");
    expect(await answer(person, `/start ${start}`)).toContain("Подключение Pinterest отменено.");
    expect(await person.stands()).toBe("screen:pinterest:late");
  });

  // covers seo: E30
  it("does not take what another person was granted, or a forged state", async () => {
    const one = await seoOwner(harness);
    await begin(one.person, one.projectId, "pinterest");
    const { start } = await authorise(one.person);
    const other = await seoOwner(harness);
    await begin(other.person, other.projectId, "pinterest");
    expect(await answer(other.person, `/start ${start}`)).toContain("Не удалось подключить Pinterest");
    const forged = await fetch(`${url}/api/auth/pinterest/callback?state=forged&code=1`);
    expect(forged.status).toBe(403);
    expect(await forged.text()).toContain("Ошибка авторизации. Попробуйте заново.");
  });
});
