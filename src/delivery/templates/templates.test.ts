import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { acceptPost, type IngestDeps } from "../ingest/accept-post.ts";
import { aChannel, anEndpoint, aWorkspace, type TestEndpoint } from "../testing/builders.ts";
import { activateTemplate } from "./activate-template.ts";
import { deleteTemplate } from "./delete-template.ts";
import { getTemplate, listTemplates, templateVersions } from "./read-templates.ts";
import { type NewTemplate, saveTemplate } from "./save-template.ts";

let database: TestDatabase;
let workspaceId: string;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspaceId = await aWorkspace(database.sql);
});

const save = (given: Partial<NewTemplate> = {}) =>
  saveTemplate(database.sql, { workspaceId, templateId: "news", body: "{{ text }}", ...given });
const activate = (version: number) =>
  activateTemplate(database.sql, { workspaceId, templateId: "news", version });
const get = (version?: number) => getTemplate(database.sql, { workspaceId, templateId: "news", version });
const versions = async () =>
  (await templateVersions(database.sql, { workspaceId, templateId: "news" })).map(
    ({ version, active }) => `${version}${active ? " active" : ""}`,
  );

describe("templates", () => {
  it("keep every version, and one of them is active", async () => {
    expect(await save({ body: "один", activate: true })).toEqual({ ok: true, version: 1 });
    expect(await save({ body: "два", defaults: { city: "Тверь" } })).toEqual({ ok: true, version: 2 });
    expect(await versions()).toEqual(["2", "1 active"]);
    expect(await get()).toMatchObject({ version: 1, body: "один" });

    expect(await activate(2)).toBe(true);
    expect(await versions()).toEqual(["2 active", "1"]);
    expect(await get()).toMatchObject({ version: 2, body: "два", defaults: { city: "Тверь" }, active: true });
    expect(await get(1)).toMatchObject({ version: 1, body: "один", active: false });
  });

  it("go back to an earlier version, and stay as they are when it does not exist", async () => {
    await save({ activate: true });
    await save({ activate: true });
    expect(await activate(1)).toBe(true);
    expect(await activate(9)).toBe(false);
    expect(await versions()).toEqual(["2", "1 active"]);
  });

  it("that several people save and activate at once get a number each and one active version", async () => {
    const saved = await Promise.all(Array.from({ length: 12 }, () => save({ activate: true })));
    expect(saved.map((one) => one.ok && one.version).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    await Promise.all([3, 5, 7, 9].map(activate));
    expect((await versions()).filter((version) => version.endsWith("active"))).toHaveLength(1);
  });

  it("that are broken are refused with the place named, and nothing is stored", async () => {
    expect(await save({ body: "Новость\n{{ title | shout }}" })).toEqual({
      ok: false,
      error: { message: "line 2, column 1: undefined filter: shout", line: 2, column: 1 },
    });
    expect(await save({ defaults: { parse_mode: "BBCode" } })).toMatchObject({
      error: { message: "defaults.parse_mode must be one of HTML, Markdown, None" },
    });
    expect(await get()).toBeUndefined();
  });

  it("are listed by name, page by page, for their own workspace only", async () => {
    const stranger = await aWorkspace(database.sql);
    await save({ workspaceId: stranger, templateId: "foreign" });
    for (const templateId of ["weather", "news", "sport"]) await save({ templateId });
    await save({ templateId: "news", body: "второй", activate: true });
    await save({ templateId: "news", body: "третий" });

    const first = await listTemplates(database.sql, workspaceId, { limit: 2 });
    expect(first.items).toMatchObject([{ template_id: "news", body: "второй" }, { template_id: "sport" }]);
    const second = await listTemplates(database.sql, workspaceId, {
      limit: 2,
      after: first.next ?? undefined,
    });
    expect(second).toMatchObject({ items: [{ template_id: "weather" }], next: null });
    expect(await getTemplate(database.sql, { workspaceId, templateId: "foreign" })).toBeUndefined();
  });

  it("are deleted unless a channel is written by them", async () => {
    const remove = () => deleteTemplate(database.sql, { workspaceId, templateId: "news" });
    expect(await remove()).toBe("not_found");
    await save();
    const channelId = await aChannel(database.sql, workspaceId);
    await database.sql`update delivery.channels set template_ref = 'news' where channel_id = ${channelId}`;
    expect(await remove()).toBe("in_use");
    await database.sql`update delivery.channels set template_ref = null where channel_id = ${channelId}`;
    expect(await remove()).toBe("deleted");
    expect(await get()).toBeUndefined();
  });
});

describe("a post for a channel with a template", () => {
  let endpoint: TestEndpoint;
  let clock: ManualClock;
  let deps: IngestDeps;

  beforeEach(async () => {
    const { sql } = database;
    endpoint = await anEndpoint(sql, workspaceId);
    clock = manualClock();
    const nowhere = "http://127.0.0.1:9";
    deps = { sql, clock, platforms: createPlatforms({ telegramApiRoot: nowhere, maxApiRoot: nowhere }) };
  });

  async function templatedChannel(settings: Record<string, string> = {}, template = "news"): Promise<string> {
    const channelId = await aChannel(database.sql, workspaceId, { settings });
    await database.sql`update delivery.channels set template_ref = ${template} where channel_id = ${channelId}`;
    return channelId;
  }

  const push = (payload: Record<string, unknown>) =>
    acceptPost({ payload }, { ...endpoint, maxPayloadBytes: 0 }, deps);

  const deliveryIn = async (channelId: string) => {
    const [row] = await database.sql`
      select status, rendered_text, template_version, last_error,
        render_meta #> '{compiled,requests,0,body}' as body
      from delivery.deliveries where workspace_id = ${workspaceId} and channel_id = ${channelId}`;
    return row;
  };

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

    expect(await push({ text: "x", count: 900_000 })).toMatchObject({ failed_permanent: 1 });
    expect(await deliveryIn(channelId)).toMatchObject({
      template_version: "news@1",
      last_error: {
        code: "validation_failed",
        message: "template news@1, line 2, column 26: the text is longer than 65536 bytes",
      },
    });
  });

  it("is checked after rendering: a template that makes it too long fails validation", async () => {
    const channelId = await templatedChannel();
    await save({ body: "{% for i in (1..500) %}{{ text }} {% endfor %}", activate: true });

    await push({ text: "десять букв" });
    expect(await deliveryIn(channelId)).toMatchObject({
      status: "failed_permanent",
      last_error: { code: "validation_failed" },
    });
  });

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
    expect(second?.render_meta.compiled.plainText).toBe("Первая: Дождь");
    expect(await deliveryIn(channelId)).toMatchObject({
      rendered_text: "Первая: Дождь",
      template_version: "news@1",
    });
  });
});
