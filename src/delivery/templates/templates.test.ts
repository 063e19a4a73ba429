import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock, systemClock } from "../../kernel/clock/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { saveTemplateVersion } from "../admin/templates/change-templates.ts";
import type { NewVersion } from "../admin/templates/template-shape.ts";
import { acceptPost, type IngestDeps } from "../ingest/accept-post.ts";
import { aChannel, anEndpoint, aWorkspace, type TestEndpoint } from "../testing/builders.ts";

let database: TestDatabase;
let workspaceId: string;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspaceId = await aWorkspace(database.sql);
});

const save = (given: Partial<NewVersion> = {}) =>
  saveTemplateVersion(
    { sql: database.sql, clock: systemClock },
    workspaceId,
    { template_id: "news", body: "{{ text }}", ...given },
    { operator: "Анна" },
  );

describe("a post for a channel with a template", () => {
  let endpoint: TestEndpoint;
  let clock: ManualClock;
  let deps: IngestDeps;

  beforeEach(async () => {
    const { sql } = database;
    endpoint = await anEndpoint(sql, workspaceId);
    clock = manualClock();
    const nowhere = "http://127.0.0.1:9";
    deps = { sql, clock, platforms: createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere }) };
  });

  async function templatedChannel(settings: Record<string, string> = {}, template = "news"): Promise<string> {
    const channelId = await aChannel(database.sql, workspaceId, { settings });
    await database.sql`update delivery.channels set template_ref = ${template} where channel_id = ${channelId}`;
    return channelId;
  }

  const push = (payload: Record<string, unknown>) => acceptPost({ payload }, endpoint, deps);

  const deliveryIn = async (channelId: string) => {
    const [row] = await database.sql`
      select status, rendered_text, template_version, last_error,
        render_meta #> '{compiled,requests,0,body}' as body
      from delivery.deliveries where workspace_id = ${workspaceId} and channel_id = ${channelId}`;
    return row;
  };

  // covers autoposting: Templates / rendering
  it("is written by the active version, and the delivery says by which", async () => {
    const plain = await aChannel(database.sql, workspaceId);
    const templated = await templatedChannel();
    await save({ body: "устарело", activate: true });
    await save({
      body: "{{ title }} — {{ city }}\n\n{{ text }}",
      defaults: { city: "Тверь" },
      activate: true,
    });
    await save({ body: "черновик" });

    expect(await push({ text: "Дождь", title: "Погода" })).toMatchObject({ queued: 2 });
    expect(await deliveryIn(templated)).toMatchObject({
      status: "queued",
      rendered_text: "Погода — Тверь\n\nДождь",
      template_version: "news@2",
    });
    expect(await deliveryIn(plain)).toMatchObject({ rendered_text: "Дождь", template_version: null });
  });

  it("keeps the template's markup and shows the post's own signs as they are", async () => {
    const channelId = await templatedChannel({ parse_mode: "HTML" });
    await save({ body: "<b>{{ title }}</b>\n{{ text }}", activate: true });

    await push({ title: "Цена < 100", text: "Tom & Jerry", parse_mode: "None" });
    expect(await deliveryIn(channelId)).toMatchObject({ rendered_text: "Цена < 100\nTom & Jerry" });
    expect(JSON.stringify((await deliveryIn(channelId))?.body)).toMatch(/bold|<b>/);
  });

  it("is written in the markup that the template's defaults name, before the channel's and the post's", async () => {
    const channelId = await templatedChannel({ parse_mode: "HTML" });
    await save({ body: "**{{ text }}**", defaults: { parse_mode: "Markdown" }, activate: true });

    await push({ text: "*Три* звезды", parse_mode: "HTML" });
    expect(await deliveryIn(channelId)).toMatchObject({ rendered_text: "*Три* звезды" });
  });

  it("fails validation in that channel alone when the template has no active version", async () => {
    const plain = await aChannel(database.sql, workspaceId);
    const templated = await templatedChannel();
    await save();

    expect(await push({ text: "Дождь" })).toMatchObject({ queued: 1, failed_permanent: 1 });
    expect(await deliveryIn(plain)).toMatchObject({ status: "queued" });
    expect(await deliveryIn(templated)).toMatchObject({
      status: "failed_permanent",
      last_error: {
        code: "validation_failed",
        scope: "delivery",
        message: 'the channel\'s template "news" has no active version',
      },
    });
  });

  it("fails validation with the place named when it cannot be rendered", async () => {
    const channelId = await templatedChannel();
    await save({ body: "Итоги\n{% for i in (1..count) %}строка{% endfor %}", activate: true });

    expect(await push({ text: "x", count: 20_000 })).toMatchObject({ failed_permanent: 1 });
    expect(await deliveryIn(channelId)).toMatchObject({
      template_version: "news@1",
      last_error: {
        code: "validation_failed",
        message: "template news@1, line 2, column 26: the text is longer than 65536 bytes",
      },
    });
  });

  // covers autoposting: Preflight validation
  it("is checked after rendering: a template that makes it too long fails validation", async () => {
    const channelId = await templatedChannel();
    await save({ body: "{% for i in (1..500) %}{{ text }} {% endfor %}", activate: true });

    await push({ text: "десять букв" });
    expect(await deliveryIn(channelId)).toMatchObject({
      status: "failed_permanent",
      last_error: { code: "validation_failed" },
    });
  });

  // covers autoposting: Templates / rendering; Point 29
  it("is sent again with its stored text, even if the template changed in between", async () => {
    const { sql } = database;
    const channelId = await templatedChannel();
    await save({ body: "Первая: {{ text }}", activate: true });
    await push({ text: "Дождь" });

    const attempt = async () => {
      await sql`select delivery.claim_deliveries(${workspaceId}, 'run', 10, ${clock.now()})`;
      const [started] =
        await sql`select * from delivery.start_sending(${workspaceId}, 'run', 10, ${clock.now()})`;
      return started;
    };
    const first = await attempt();
    const busy = { category: "TRANSIENT", scope: "delivery", code: "busy", message: "позже" };
    const outcome = {
      delivery_id: first?.delivery_id,
      token: first?.claim_token,
      kind: "failed",
      error: busy,
    };
    await sql`select delivery.settle_deliveries(${workspaceId}, ${sql.json([outcome])}, ${clock.now()})`;
    await save({ body: "Вторая: {{ text }}", activate: true });
    clock.advance(3_600_000);
    const second = await attempt();

    expect(second).toMatchObject({ attempt: 2, render_meta: first?.render_meta });
    expect(second?.rendered_text).toBe("Первая: Дождь");
    expect(await deliveryIn(channelId)).toMatchObject({
      rendered_text: "Первая: Дождь",
      template_version: "news@1",
    });
  });
});
