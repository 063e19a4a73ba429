import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import {
  type AdminHarness,
  asked,
  everyScope,
  startAdminHarness,
} from "../../delivery/admin/testing/harness.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";

let harness: AdminHarness;
let admin: Record<string, string>;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
  admin = await harness.server.bearer(everyScope);
});
afterAll(() => harness?.stop());

const call = (method: string, path: string, body?: unknown) =>
  asked(harness.server, admin, method, path, body);

describe("workspaces", () => {
  it("are made by an admin of the whole system, not by a token of one workspace", async () => {
    const { status, body } = await call("POST", "/workspaces", {
      name: "Магазин",
      timezone: "Asia/Yekaterinburg",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "Магазин",
      status: "active",
      timezone: "Asia/Yekaterinburg",
      channels: 0,
    });
    expect(await harness.events(body.workspace_id)).toMatchObject([
      { action: "config_changed", meta: { object: "workspace", created: true } },
    ]);
    expect(await harness.call("POST", "/workspaces", { name: "Чужой" })).toMatchObject({
      status: 403,
      body: { code: "other_workspace" },
    });
  });

  it("are all listed for the one, and only its own for the other", async () => {
    const { body } = await call("GET", "/workspaces");
    expect(body.items.length).toBeGreaterThan(1);
    expect((await harness.call("GET", "/workspaces")).body).toMatchObject({
      items: [{ workspace_id: harness.workspaceId }],
      next: null,
    });
  });

  it("change their name, zone and settings, and refuse what the database cannot keep", async () => {
    const id = await aWorkspace(harness.sql);
    const changed = await call("PATCH", `/workspaces/${id}`, {
      name: "Новое имя",
      settings: { deduped_rows: true },
    });
    expect(changed.body).toMatchObject({ name: "Новое имя", settings: { deduped_rows: true } });
    expect(await call("PATCH", `/workspaces/${id}`, { timezone: "MSK" })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/timezone", detail: expect.stringContaining("IANA") }] },
    });
    const retention = { deliveries_days: 2, events_days: 1, payloads_days: 1 };
    await harness.sql`
      insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group)
      values (${id}, 'telegram', '-1', 'bot', 'bot')`;
    const tooShort = await call("PATCH", `/workspaces/${id}`, { settings: { retention } });
    expect(tooShort).toMatchObject({ status: 422, body: { errors: [{ pointer: "/settings" }] } });
    expect((await call("PATCH", `/workspaces/${id}`, { status: "disabled" })).status).toBe(400);
  });

  // covers autoposting: Table: workspaces
  it.each([
    ["pause", "paused"],
    ["disable", "disabled"],
    ["resume", "active"],
  ])("%s with a reason", async (verb, status) => {
    const id = await aWorkspace(harness.sql, { status: status === "active" ? "paused" : "active" });
    expect((await call("POST", `/workspaces/${id}/${verb}`, {})).status).toBe(400);
    const answer = await call("POST", `/workspaces/${id}/${verb}`, { reason: "так решили" });
    expect(answer).toMatchObject({ status: 200, body: { status } });
    expect(await harness.events(id)).toMatchObject([
      { action: "config_changed", meta: { reason: "так решили", changes: { status: { to: status } } } },
    ]);
  });
});
