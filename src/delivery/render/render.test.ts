import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { asked } from "../admin/testing/harness.ts";
import { deliveryRoutes } from "../delivery-routes.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";

let database: TestDatabase;
let server: TestHttpServer;
let workspaceId: string;
let telegram: string;
let max: string;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  const platforms = createPlatforms({
    TELEGRAM_API_ROOT: "http://127.0.0.1:9",
    MAX_API_ROOT: "http://127.0.0.1:9",
  });
  server = await startTestHttpServer({
    sql,
    modules: [
      deliveryRoutes({
        sql,
        platforms,
        clock: systemClock,
        metrics: createMetrics(),
        payloads: { save: async () => "unused" },
        credentials: { token: async () => undefined },
      }),
    ],
  });
  workspaceId = await aWorkspace(sql);
  telegram = await aChannel(sql, workspaceId, { target_id: "-100777" });
  max = await aChannel(sql, workspaceId, { platform: "max", target_id: "-70", title: "МАКС" });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

async function render(body: Record<string, unknown>, workspace = workspaceId) {
  return asked(server, await server.bearer(["read"], workspace), "POST", "/render", body);
}

describe("POST /api/v1/render", () => {
  it("tries a template that is not saved, in place of the channel's own", async () => {
    const payload = { text: "Скидка", name: "<Аня>" };
    const template = {
      body: "<b>{{ name }}</b>: {{ text }}{{ sign }}",
      defaults: { parse_mode: "HTML", sign: "!" },
    };
    expect((await render({ channel_id: telegram, payload, template })).body).toMatchObject({
      ok: true,
      template_version: "draft@0",
      messages: [{ text: "<Аня>: Скидка!", marks: [{ type: "bold", offset: 0, length: 5 }] }],
    });
    const broken = { channel_id: telegram, payload, template: { body: "{% if %}" } };
    expect((await render(broken)).body).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("line 1") },
    });
  });

  it("shows what a reader sees, the exact request and what is lost", async () => {
    const payload = {
      parse_mode: "HTML",
      text: "<h1>Ёлки</h1>\n<b>Скидка</b> 50%",
      buttons: [[{ text: "Купить", url: "https://a.ru" }]],
    };
    expect(await render({ channel_id: telegram, payload })).toEqual({
      status: 200,
      body: {
        ok: true,
        channel: { channel_id: telegram, platform: "telegram", target_id: "-100777", title: "Канал" },
        template_version: null,
        messages: [
          {
            text: "Ёлки\n\nСкидка 50%",
            marks: [
              { type: "bold", offset: 0, length: 4 },
              { type: "bold", offset: 6, length: 6 },
            ],
            media: [],
            buttons: payload.buttons,
          },
        ],
        requests: [
          {
            method: "POST",
            path: "/bot<token>/sendMessage",
            query: {},
            body: {
              chat_id: -100777,
              text: "Ёлки\n\nСкидка 50%",
              entities: [
                { type: "bold", offset: 0, length: 4 },
                { type: "bold", offset: 6, length: 6 },
              ],
              reply_markup: { inline_keyboard: payload.buttons },
            },
          },
        ],
        losses: [{ code: "heading_as_bold", message: "a heading is shown as bold text" }],
        repairs: [],
        error: null,
      },
    });
  });

  it("shows each platform's own request, with files by what is known of them", async () => {
    const media = [{ type: "photo", url: "https://a.ru/1.jpg" }];
    const payload = { parse_mode: "Markdown", text: "**Вид** из окна", media, disable_preview: true };
    expect((await render({ channel_id: max, payload })).body).toMatchObject({
      messages: [
        { text: "Вид из окна", marks: [{ type: "bold", offset: 0, length: 3 }], media: [{ kind: "photo" }] },
      ],
      requests: [
        {
          path: "/messages",
          query: { chat_id: "-70", disable_link_preview: "true" },
          body: {
            text: "**Вид** из окна",
            format: "markdown",
            attachments: [{ type: "image", payload: { token: "<photo https://a.ru/1.jpg>" } }],
          },
        },
      ],
    });
  });

  it("refuses any loss in strict mode, and says which", async () => {
    const payload = { parse_mode: "HTML", text: "<h1>Т</h1>" };
    const { status, body } = await render({ channel_id: telegram, payload, strict: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: false,
      messages: [],
      requests: [],
      error: { code: "validation_failed", message: expect.stringContaining("heading_as_bold") },
    });
    expect((await render({ channel_id: telegram, payload: { text: "просто" }, strict: true })).body.ok).toBe(
      true,
    );
  });

  it("counts what was dropped while reading as a loss too", async () => {
    const payload = { parse_mode: "HTML", text: 'а\n<a href="javascript:x">б</a>' };
    expect((await render({ channel_id: telegram, payload })).body.repairs).toEqual([
      { code: "link_dropped", message: expect.any(String), position: { offset: 2, line: 2, column: 1 } },
    ]);
    expect((await render({ channel_id: telegram, payload, strict: true })).body.error.message).toContain(
      "at line 2, column 1 (link_dropped)",
    );
  });

  it("says where the markup is broken", async () => {
    const payload = { parse_mode: "MarkdownV2", text: "раз\nдва *три" };
    expect((await render({ channel_id: telegram, payload })).body.error).toEqual({
      code: "validation_failed",
      message: "/text: * is not closed, at line 2, column 5",
    });
  });

  it("stores nothing", async () => {
    const [counts] = await database.sql`
      select (select count(*) from delivery.messages) as messages, (select count(*) from delivery.deliveries) as deliveries,
        (select count(*) from workspaces.events) as events`;
    expect(counts).toEqual({ messages: 0, deliveries: 0, events: 0 });
  });

  it("finds no channel of another workspace", async () => {
    const elsewhere = await aWorkspace(database.sql);
    const answer = await render({ channel_id: telegram, payload: { text: "а" } }, elsewhere);
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it.each([
    ["no text", { payload: {} }, "/payload"],
    ["a wrong type", { payload: { text: 5 } }, "/payload/text"],
    ["an unknown dialect", { payload: { text: "а", dialect: "textile" } }, "/payload/dialect"],
    ["NUL", { payload: { text: "а\0" } }, "/payload/text"],
    ["an unknown field", { payload: { text: "а" }, chanel: 1 }, ""],
  ])("refuses %s with a pointer", async (_, body, pointer) => {
    const answer = await render({ channel_id: telegram, ...body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(JSON.stringify(answer.body.errors)).toContain(`"pointer":"${pointer}`);
  });

  it("asks for a token that may read", async () => {
    const headers = await server.bearer(["operate"], workspaceId);
    const body = { channel_id: telegram, payload: { text: "а" } };
    expect((await asked(server, headers, "POST", "/render", body)).status).toBe(403);
    expect((await asked(server, {}, "POST", "/render", body)).status).toBe(401);
  });
});
