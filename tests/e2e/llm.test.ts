import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { createApiToken, scopes } from "../../src/http/index.ts";
import { systemClock as clock } from "../../src/kernel/clock/index.ts";
import { readSeedFiles } from "../../src/llm/index.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";

let running: RunningSystem;
let headers: Record<string, string>;
beforeAll(async () => {
  running = await startSystem();
  const { token } = await createApiToken(running.database.sql, {
    ...{ name: "llm", scopes, workspaceId: null, createdBy: null, expiresAt: null, clock },
  });
  headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
});
afterAll(() => running?.stop());

async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${running.system.url()}/api/v1/llm${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return JSON.parse(await answer.text());
}

describe("a started system", () => {
  // covers llm: OpenRouter, OpenAI and any compatible server
  it("has the release's policies and prompts in every workspace, and asks the twin without any key set", async () => {
    const keys = await until("policies are seeded", async () => {
      const { items } = await call("GET", "/policies");
      return items.length > 0 && items.map(({ key }: { key: string }) => key);
    });
    const { policies, prompts } = await readSeedFiles();
    expect(keys.toSorted()).toEqual(policies.map(({ key }) => key).toSorted());
    const names = (await call("GET", "/prompts")).items.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(prompts.map(({ name }) => name).toSorted());
    for (const key of keys)
      expect(await call("POST", `/policies/${key}/try`, { text: `Проверка ${key}` })).toMatchObject({
        ok: true,
        text: expect.stringContaining(key),
      });
    expect((await call("GET", "/usage?by=policy")).items).toHaveLength(keys.length);
  });

  // covers llm: Policies in a table, switched without a deploy
  it("changes the model of a policy without a restart, by the twin's own account", async () => {
    await call("PATCH", "/policies/free_default", { model: "deepseek/deepseek-v3.2" });
    expect(await call("POST", "/policies/free_default/try", {})).toMatchObject({
      ok: true,
      model: "deepseek/deepseek-v3.2",
    });
    const events = await running.database.sql`
      select meta from workspaces.events where workspace_id = ${demo.workspaceId} and meta->>'object' = 'llm_policy'`;
    expect(events).toMatchObject([
      { meta: { key: "free_default", operator: expect.stringMatching(/^token:/) } },
    ]);
  });

  // covers llm: Every call recorded and reported
  it("counts requests, tokens and cost among its metrics", async () => {
    await call("POST", "/policies/pro_default/try", {});
    const text = await (await fetch(`${running.system.url()}/metrics`)).text();
    expect(text).toMatch(/molva_llm_requests_total\{provider="openrouter",outcome="ok"\} \d+/);
    expect(text).toMatch(/molva_llm_cost_usd_total\{provider="openrouter"\} 0\.\d+/);
  });
});
