import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginProductConsent, consentGiven, demo } from "../../src/delivery/index.ts";
import { createApiToken } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import type { Module } from "../../src/module/index.ts";
import { modules } from "../../src/modules.ts";
import type { Core } from "../../src/workspaces/index.ts";
import { launchBrowser } from "../support/browser.ts";
import { freePorts } from "../support/molva.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

/** The whole system, and a person who connects Pinterest in a real browser through the twin's consent page. */
let running: RunningSystem;
let browser: Browser;
let url: string;
let authorization: string;
/** What a product is made from. */
let core: Core;

beforeAll(async () => {
  const { port } = await freePorts();
  url = `http://127.0.0.1:${port}`;
  const product: Module = {
    name: "product",
    wire(given) {
      core = given;
      return {};
    },
  };
  running = await startSystem({
    environment: { MOLVA_PORT: String(port), MOLVA_PUBLIC_URL: url },
    modules: [...modules, product],
  });
  browser = await launchBrowser();
  const { token } = await createApiToken(running.database.sql, {
    ...{ name: "test", scopes: ["admin", "operate", "write", "read"], workspaceId: demo.workspaceId },
    ...{ createdBy: null, expiresAt: null, clock: systemClock },
  });
  authorization = `Bearer ${token}`;
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
});

async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return JSON.parse(await answer.text());
}

const linkFor = async (auth_ref: string): Promise<string> =>
  (await call("POST", "/credentials/pinterest/connect", { auth_ref })).url;

async function open(address: string, locale = "ru-RU"): Promise<Page> {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

const boundTo = async (auth_ref: string) =>
  (await call("GET", "/credentials?limit=200")).items.filter(
    (each: { auth_ref: string }) => each.auth_ref === auth_ref,
  );

describe("a person who connects Pinterest", () => {
  // covers networks: Pinterest: consent with a signed state; Twins: what readers see
  it("gives access on Pinterest's page, sees the boards, and a post is pinned on the one that is added", async () => {
    const page = await open(await linkFor("my-board"));
    await page.getByRole("heading", { name: "Give Молва access to your account?" }).waitFor();
    await page.getByText("Аккаунт для вашей пробы").click();
    await page.getByRole("button", { name: "Give access" }).click();
    await page.getByRole("heading", { name: "Pinterest подключён" }).waitFor();
    await page.getByText("Доска для вашей пробы").waitFor();
    const command = `molva channel add pinterest ${demo.pinterest.spare.board.id} --auth my-board`;
    await page.getByText(command).waitFor();
    expect(await boundTo("my-board")).toHaveLength(1);

    const { items } = await call("GET", "/credentials/pinterest/my-board/places");
    expect(items).toEqual([
      { target_id: demo.pinterest.spare.board.id, title: "Доска для вашей пробы", members: 0 },
    ]);
    const channel = { platform: "pinterest", target_id: items[0].target_id, auth_ref: "my-board" };
    const { channel_id } = await call("POST", "/channels", {
      ...channel,
      route_filter: { include_any: ["моя доска"] },
    });
    expect(await call("POST", `/channels/${channel_id}/test`, {})).toMatchObject({ ok: true });
    const media = [{ type: "photo", url: `${running.twinsUrl}/demo/lake.jpg` }];
    await running.post({ tags: ["моя доска"], payload: { text: "Озеро", media } });
    const [pin] = await until("the post is pinned", async () => {
      const pins = await running.messages("pinterest", demo.pinterest.spare.board.id);
      return pins.length > 0 && pins;
    });
    const [picture] = pin?.media ?? [];
    expect(pin?.text).toBe("Озеро");
    expect((picture?.width ?? 0) / (picture?.height ?? 1)).toBeCloseTo(2 / 3, 2);
    await page.context().close();
  });

  it("says no, reads that nothing was stored, and may try again", async () => {
    const page = await open(await linkFor("second"), "en-GB");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "No access was given" }).waitFor();
    expect(await boundTo("second")).toEqual([]);
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Give access" }).click();
    await page.getByRole("heading", { name: "Pinterest is connected" }).waitFor();
    expect(await boundTo("second")).toHaveLength(1);
    // Going back and forth changes nothing any more.
    await page.reload();
    await page.getByRole("heading", { name: "The link was used" }).waitFor();
    await page.context().close();
  });

  it("cannot end in one browser what began in another", async () => {
    const link = await linkFor("third");
    const page = await open(link);
    const other = await open(page.url());
    await other.getByRole("button", { name: "Give access" }).click();
    await other.getByText("Ошибка авторизации. Попробуйте заново.").waitFor();
    expect(await boundTo("third")).toEqual([]);
    await Promise.all([page.context().close(), other.context().close()]);
  });

  it("from a bot is led back to the bot, where the product finds the account", async () => {
    const owner = { product: "seo", user: "42" };
    const asked = { platform: "pinterest", owner, bot: "seo_master_bot" };
    const { url: link, nonce } = await beginProductConsent(core, demo.workspaceId, asked);
    const page = await open(link);
    const answered = page.waitForResponse((response) => response.url().includes("/pinterest/callback"));
    await page.getByRole("button", { name: "Give access" }).click();
    const answer = await answered;
    expect(answer.status()).toBe(302);
    // The twins' page stands for the app; without twins the link is Telegram's own.
    expect(answer.headers().location).toBe(`${running.twinsUrl}/#return/telegram/42/pinterest_auth_${nonce}`);
    const given = await until("the account was given", () =>
      consentGiven(core, demo.workspaceId, { platform: "pinterest", owner, nonce }),
    );
    expect(given).toMatchObject({ access_token: expect.stringMatching(/^pina_/) });
    await page.context().close();
  });
});
