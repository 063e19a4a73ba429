import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import { type AdminHarness, asked, everyScope, startAdminHarness } from "./testing/harness.ts";

let harness: AdminHarness;
let admin: Record<string, string>;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
  admin = await harness.server.bearer(everyScope);
});
afterAll(() => harness?.stop());

const set = (workspaceId: string, settings: unknown) =>
  asked(harness.server, admin, "PATCH", `/workspaces/${workspaceId}`, { settings });

async function policyOf(workspaceId: string, channelId: string) {
  const [row] = await harness.sql`select * from delivery.channel_policy(${workspaceId}, ${channelId})`;
  return { ...row };
}

describe("how failures are dealt with", () => {
  it("has the document's defaults", async () => {
    const workspace = await aWorkspace(harness.sql);
    expect(await policyOf(workspace, await aChannel(harness.sql, workspace))).toEqual({
      max_attempts: 5,
      backoff_base_seconds: 2,
      backoff_max_seconds: 600,
      pause_on_permanent_seconds: 3600,
      disable_after_permanent_streak: 3,
    });
  });

  // covers autoposting: Retry policy; Permanent failures
  it("is set for a workspace, and a channel may be more patient", async () => {
    const channel = await aChannel(harness.sql, harness.workspaceId);
    const policy = { max_attempts: 8, backoff_base_seconds: 0.5, pause_on_permanent_seconds: 7200 };
    expect((await set(harness.workspaceId, { policy })).status).toBe(200);
    expect(await policyOf(harness.workspaceId, channel)).toMatchObject({
      ...policy,
      disable_after_permanent_streak: 3,
    });
    const own = { pause_on_permanent_seconds: 21600, disable_after_permanent_streak: 10 };
    expect((await harness.call("PATCH", `/channels/${channel}`, own)).body).toMatchObject(own);
    expect(await policyOf(harness.workspaceId, channel)).toMatchObject({ ...own, max_attempts: 8 });
    await harness.call("PATCH", `/channels/${channel}`, { disable_after_permanent_streak: null });
    expect(await policyOf(harness.workspaceId, channel)).toMatchObject({ disable_after_permanent_streak: 3 });
  });

  it("is what `why` counts attempts by", async () => {
    const workspace = await aWorkspace(harness.sql);
    await aChannel(harness.sql, workspace);
    await enqueue(harness.sql, workspace, "Пост");
    await set(workspace, { policy: { max_attempts: 9 } });
    const [row] = await harness.sql`
      select delivery.attempts_of(d) as attempts from delivery.deliveries d where d.workspace_id = ${workspace}`;
    expect(row?.attempts).toEqual({ attempt: 0, max_attempts: 9 });
  });

  it.each([
    ["no attempt at all", { max_attempts: 0 }, 400, "/settings/policy/max_attempts"],
    ["half an attempt", { max_attempts: 1.5 }, 400, "/settings/policy/max_attempts"],
    ["a name that is not known", { retries: 1 }, 400, "/settings/policy/retries"],
    ["more attempts than anyone waits for", { max_attempts: 101 }, 422, "/settings"],
    ["a pause of a moment", { pause_on_permanent_seconds: 59 }, 422, "/settings"],
    [
      "a longest wait below the first",
      { backoff_base_seconds: 30, backoff_max_seconds: 10 },
      422,
      "/settings",
    ],
  ])("refuses %s and says where", async (_, policy, status, pointer) => {
    const workspace = await aWorkspace(harness.sql);
    const answer = await set(workspace, { policy });
    expect(answer).toMatchObject({ status, body: { errors: [{ pointer }] } });
    expect(answer.body.detail).not.toMatch(/constraint|violat/);
  });
});

describe("a workspace's settings", () => {
  it("change where they are given and stay elsewhere; null brings a default back", async () => {
    const workspace = await aWorkspace(harness.sql);
    await set(workspace, { deduped_rows: true, retention: { events_days: 10, media_days: 20 } });
    await set(workspace, { policy: { max_attempts: 7 }, retention: { media_days: null } });
    const { body } = await set(workspace, { deduped_rows: null });
    expect(body.settings).toEqual({ retention: { events_days: 10 }, policy: { max_attempts: 7 } });
    expect((await set(workspace, { policy: null })).body.settings).toEqual({
      retention: { events_days: 10 },
    });
  });
});
