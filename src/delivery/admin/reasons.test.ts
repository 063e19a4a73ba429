import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { aChannel, enqueue } from "../testing/builders.ts";
import { type AdminHarness, startAdminHarness } from "./testing/harness.ts";

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
});
afterAll(() => harness?.stop());

const told = "попросил ivan@example.com, тел. +7 999 123-45-67";
const masked = "попросил [email], тел. [phone]";

const reasons = async () => (await harness.events()).map(({ meta }) => meta.reason).filter(Boolean);

describe("the reasons that operators give", () => {
  // covers autoposting: Data privacy / PII
  it("are masked in the events of channels and of the configuration", async () => {
    const channel = await aChannel(harness.sql, harness.workspaceId);
    await harness.call("POST", `/channels/${channel}/pause`, { seconds: 60, reason: told });
    await harness.call("PUT", "/limits/telegram/bot", { rate_rps: 1, reason: told });
    await harness.call("DELETE", `/channels/${channel}?force=true&reason=${encodeURIComponent(told)}`);
    expect(await reasons()).toEqual([masked, masked, masked]);
  });

  it.each(["cancel", "hold", "send_now"])("are masked in the events of deliveries: %s", async (operation) => {
    const { sql, workspaceId } = harness;
    await aChannel(sql, workspaceId, { tags: [operation] });
    await enqueue(sql, workspaceId, `Пост для ${operation}`, { now: new Date(Date.now() + 3_600_000) });
    const ids = await sql<{ delivery_id: string }[]>`
      select delivery_id from delivery.deliveries where workspace_id = ${workspaceId} and status = 'queued'`;
    await sql`
      select * from ${sql(`delivery.${operation}`)}(
        ${workspaceId}, ${ids.map(({ delivery_id }) => delivery_id)}, ${"on-call"}, ${told})`;
    expect(JSON.stringify(await harness.events())).not.toMatch(/ivan@|999 123/);
    const rows = await sql`select hold_reason from delivery.deliveries where workspace_id = ${workspaceId}`;
    expect(JSON.stringify(rows)).not.toMatch(/ivan@|999 123/);
    expect(await reasons()).toContain(masked);
  });
});
