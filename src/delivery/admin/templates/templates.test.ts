import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../../tests/support/database.ts";
import { aChannel } from "../../testing/builders.ts";
import { type AdminStand, startAdminStand } from "../testing/stand.ts";

let database: TestDatabase;
let stand: AdminStand;

beforeAll(async () => {
  database = await testDatabase();
  stand = await startAdminStand({ sql: database.sql });
});
afterAll(async () => {
  await stand?.stop();
  await database?.drop();
});

describe("templates", () => {
  it("are saved version by version, one of them active, each step with an event", async () => {
    const first = await stand.call("POST", "/templates", {
      template_id: "news",
      body: "1 {{ text }}",
      activate: true,
    });
    expect(first).toMatchObject({ status: 201, body: { template_id: "news", version: 1, active: true } });
    await stand.call("POST", "/templates", { template_id: "news", body: "2 {{ text }}" });
    const before = await stand.call("GET", "/templates/news");
    expect(before.body).toMatchObject({
      version: 1,
      active: true,
      versions: [{ version: 2 }, { version: 1 }],
    });

    const activated = await stand.call("POST", "/templates/news/activate", { version: 2, reason: "готова" });
    expect(activated.body).toMatchObject({ version: 2, active: true });
    expect((await stand.call("GET", "/templates")).body.items).toMatchObject([
      { template_id: "news", version: 2 },
    ]);
    expect(await stand.events()).toMatchObject([
      { action: "config_changed", meta: { object: "template", version: 1, active: true } },
      { action: "config_changed", meta: { object: "template", version: 2, active: false } },
      {
        action: "config_changed",
        meta: { object: "template", version: 2, activated: true, reason: "готова" },
      },
    ]);
    expect((await stand.call("POST", "/templates/news/activate", { version: 9 })).status).toBe(404);
  });

  it("that cannot be read are refused with the place", async () => {
    const answer = await stand.call("POST", "/templates", { template_id: "bad", body: "раз\n{% if %}" });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("line 2"), errors: [{ pointer: "/body" }] },
    });
    const wrongMode = { template_id: "bad", body: "а", defaults: { parse_mode: "BBCode" } };
    expect(await stand.call("POST", "/templates", wrongMode)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/defaults/parse_mode" }] },
    });
    expect((await stand.call("GET", "/templates/bad")).status).toBe(404);
  });

  it("are deleted only when no channel is written by them", async () => {
    await stand.call("POST", "/templates", { template_id: "used", body: "{{ text }}", activate: true });
    const id = await aChannel(stand.sql, stand.workspaceId);
    const bound = await stand.call("PATCH", `/channels/${id}`, { template_ref: "used" });
    expect(bound.body.template_ref).toBe("used");
    expect((await stand.call("DELETE", "/templates/used")).status).toBe(409);
    await stand.call("PATCH", `/channels/${id}`, { template_ref: null });
    expect((await stand.call("DELETE", "/templates/used")).status).toBe(204);
  });
});
