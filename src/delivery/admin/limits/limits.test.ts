import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { aChannel } from "../../testing/builders.ts";
import { type AdminHarness, startAdminHarness } from "../testing/harness.ts";

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
});
afterAll(() => harness?.stop());

describe("limits of rate groups", () => {
  // covers autoposting: Table: platform_limits
  it("are set, changed and forgotten, each with an event", async () => {
    await aChannel(harness.sql, harness.workspaceId, { rate_group: "news" });
    const set = await harness.call("PUT", "/limits/telegram/news", { rate_rps: 25 });
    expect(set).toMatchObject({ status: 200, body: { rate_rps: 25, channels: 1, cooldown_until: null } });
    expect((await harness.call("PUT", "/limits/telegram/news", { rate_rps: null })).body.rate_rps).toBeNull();
    expect((await harness.call("DELETE", "/limits/telegram/news?reason=unused")).status).toBe(204);
    expect((await harness.call("GET", "/limits/telegram/news")).status).toBe(404);
    const about = { object: "limit", platform: "telegram", rate_group: "news" };
    expect(await harness.events()).toMatchObject([
      { action: "config_changed", meta: { ...about, created: true, rate_rps: 25 } },
      { action: "config_changed", meta: { ...about, changes: { rate_rps: { from: 25, to: null } } } },
      { action: "config_changed", meta: { ...about, deleted: true, reason: "unused" } },
    ]);
  });

  it("come in pages by platform and group", async () => {
    for (const name of ["telegram/a", "max/b", "telegram/%D1%8E"])
      await harness.call("PUT", `/limits/${name}`, { rate_rps: 1 });
    expect((await harness.pages("/limits")).map((page) => page.map(({ rate_group }) => rate_group))).toEqual([
      ["b", "a"],
      ["ю"],
    ]);
  });

  it("are not forgotten while the provider asks for patience", async () => {
    await harness.call("PUT", "/limits/max/hot", { rate_rps: 2 });
    await harness.sql`
      update delivery.platform_limits set cooldown_until = now() + interval '1 minute' where rate_group = 'hot'`;
    expect((await harness.call("DELETE", "/limits/max/hot")).status).toBe(409);
  });

  it.each([{ rate_rps: -1 }, { rate_rps: "5" }, {}])("refuse %j", async (body) => {
    expect(await harness.call("PUT", "/limits/telegram/x", body)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/rate_rps" }] },
    });
  });
});
