import { afterAll, beforeAll, expect, it } from "vitest";
import { demoAccounts } from "../../src/accounts/index.ts";
import { demo } from "../../src/delivery/index.ts";
import { createApiToken, scopes } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

let running: RunningSystem;
let authorization: string;

beforeAll(async () => {
  running = await startSystem({ accounts: true });
  const { token } = await createApiToken(running.database.sql, {
    ...{
      name: "test",
      scopes,
      workspaceId: demo.workspaceId,
      createdBy: null,
      expiresAt: null,
      clock: systemClock,
    },
  });
  authorization = `Bearer ${token}`;
});
afterAll(() => running.stop());

const get = async (path: string) =>
  JSON.parse(
    await (
      await fetch(`${running.system.url()}/api/v1/accounts${path}`, { headers: { authorization } })
    ).text(),
  );

// covers accounts: 17. Diagnostics match the database
it("the demo's accounts publish flats into the twin's chats, once each, and none of it is in the future", async () => {
  const [chat] = demoAccounts.chats;
  const said = await until("both accounts have published", async () => {
    const messages = await running.messages("telegram-account", String(chat.id));
    const authors = new Set(messages.map(({ author }) => author.name));
    return authors.size === demoAccounts.people.length && messages;
  });
  expect(said[0]?.text).toContain("2-комнатная в Хамовниках");
  const history = (await get("/history?limit=200")).items;
  const published: number = (await get("/queue?status=completed&limit=200")).items.length;
  expect(published).toBeGreaterThanOrEqual(said.length);
  expect(new Set(history.map(({ queue_id }: { queue_id: string }) => queue_id)).size).toBe(history.length);
  for (const { published_at } of history) expect(Date.parse(published_at)).toBeLessThanOrEqual(Date.now());
  const seen = await get("/overview");
  expect(Date.parse(seen.at)).toBeLessThan(Date.now());
  expect(seen).toMatchObject({ configs_enabled: 4, stuck: [] });
  expect((await get("/readiness")).not_ready).toBe(0);
});
