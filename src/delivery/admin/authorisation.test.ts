import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { openapi, type Scope } from "../../http/index.ts";
import { aChannel, anEndpoint, aWorkspace } from "../testing/builders.ts";
import { type AdminHarness, asked, startAdminHarness } from "./testing/harness.ts";

/**
 * Routes with an id of the workspace in their path, each with a body that it would accept. Strangers, missing scopes and tokens
 * of other workspaces are tested for every operation in tests/hostile/authorisation.
 */
const bodies: Readonly<Record<string, unknown>> = {
  "GET /endpoints/{endpoint_id}": undefined,
  "GET /endpoints/{endpoint_id}/runs": undefined,
  "GET /sources/{source_id}/runs": undefined,
  "PATCH /endpoints/{endpoint_id}": { name: "Взломана" },
  "DELETE /endpoints/{endpoint_id}": undefined,
  "POST /endpoints/{endpoint_id}/rotate": { reason: "взлом" },
  "POST /endpoints/{endpoint_id}/signing": { reason: "взлом" },
  "POST /endpoints/{endpoint_id}/disable": { reason: "взлом" },
  "POST /endpoints/{endpoint_id}/enable": { reason: "взлом" },
  "GET /channels/{channel_id}": undefined,
  "PATCH /channels/{channel_id}": { title: "Взломан" },
  "DELETE /channels/{channel_id}": undefined,
  "POST /channels/{channel_id}/pause": { seconds: 60, reason: "взлом" },
  "POST /channels/{channel_id}/rotate": { auth_ref: "bot", reason: "взлом" },
  "POST /channels/{channel_id}/test": undefined,
  "POST /channels/{channel_id}/resume": {},
  "POST /channels/{channel_id}/enable": {},
  "POST /channels/{channel_id}/disable": { reason: "взлом" },
  "POST /rate_groups/{rate_group}/disable": { reason: "взлом" },
  "POST /rate_groups/{rate_group}/enable": { reason: "взлом" },
  "GET /channels/{channel_id}/indexnow": undefined,
  "POST /channels/{channel_id}/indexnow": {},
  "DELETE /channels/{channel_id}/indexnow": undefined,
  "GET /credentials/{platform}/{auth_ref}/places": undefined,
  "GET /limits/{platform}/{rate_group}": undefined,
  "DELETE /limits/{platform}/{rate_group}": undefined,
  "DELETE /credentials/{platform}/{auth_ref}": undefined,
  "GET /templates/{template_id}": undefined,
  "POST /templates/{template_id}/activate": { version: 1 },
  "DELETE /templates/{template_id}": undefined,
  "GET /sources/{source_id}": undefined,
  "PATCH /sources/{source_id}": { every_seconds: 60 },
  "DELETE /sources/{source_id}": undefined,
  "POST /sources/{source_id}/enable": {},
  "POST /sources/{source_id}/disable": { reason: "взлом" },
  "POST /sources/{source_id}/items": { items: [{ payload: { text: "взлом" } }] },
  "POST /sources/{source_id}/run": { dry_run: true },
  "GET /alert_targets/{target_id}": undefined,
  "PATCH /alert_targets/{target_id}": { enabled: false },
  "DELETE /alert_targets/{target_id}": undefined,
  "POST /alert_targets/{target_id}/test": {},
};
const ofOneThing = Object.keys(bodies);

let harness: AdminHarness;
let victim: string;
let intruder: string;
let ids: Record<string, string>;
let scopeOf: Map<string, Scope>;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
  victim = harness.workspaceId;
  intruder = await aWorkspace(harness.sql);
  ids = await furnished(victim);
  scopeOf = await declaredScopes();
});
afterAll(() => harness?.stop());

/** Creates one object of each kind in a workspace. */
async function furnished(workspaceId: string): Promise<Record<string, string>> {
  await harness.call("PUT", "/limits/vk/bot", { rate_rps: 1 });
  await harness.call("PUT", "/credentials/vk/spare", { token: "a-good-token" });
  await harness.call("POST", "/templates", { template_id: "news", body: "{{ text }}" });
  const config = { url: "https://example.com/rss" };
  await harness.call("POST", "/sources", { source_id: "feed", kind: "rss", config });
  const target = await harness.call("POST", "/alert_targets", {
    kind: "email",
    config: { to: "ops@example.com" },
  });
  return {
    target_id: target.body.target_id,
    workspace_id: workspaceId,
    endpoint_id: (await anEndpoint(harness.sql, workspaceId)).endpointId,
    channel_id: await aChannel(harness.sql, workspaceId),
    template_id: "news",
    source_id: "feed",
    // A platform whose credentials offer places: others say so before they look for a credential.
    platform: "vk",
    rate_group: "bot",
    auth_ref: "spare",
  };
}

/** The scope that the OpenAPI document declares for each route of the configuration. */
async function declaredScopes(): Promise<Map<string, Scope>> {
  const found = new Map<string, Scope>();
  const { paths } = JSON.parse(JSON.stringify(await openapi(harness.server.app)));
  for (const [path, methods] of Object.entries<Record<string, { security: { token?: Scope[] }[] }>>(paths)) {
    if (/^\/api\/v1\/(session|tokens)/.test(path) || !path.startsWith("/api/v1/")) continue;
    for (const [method, { security }] of Object.entries(methods)) {
      const scope = security.flatMap(({ token = [] }) => token)[0];
      if (scope) found.set(`${method.toUpperCase()} ${path.replace("/api/v1", "")}`, scope);
    }
  }
  return found;
}

function send(route: string, headers: Record<string, string>) {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
  const why = method === "DELETE" ? "?reason=break-in&name=victim" : "";
  return asked(harness.server, headers, method, `${path}${why}`, bodies[route]);
}

async function stateOf(workspaceId: string): Promise<string> {
  const tables = [
    ...["workspaces", "credential_bindings", "secrets", "events"].map((table) => `workspaces.${table}`),
    ...["channels", "workspace_endpoints", "platform_limits", "templates"].map(
      (table) => `delivery.${table}`,
    ),
    ...["pull_sources", "alert_targets", "monitor_settings"].map((table) => `delivery.${table}`),
  ];
  const rows = await Promise.all(
    tables.map(
      (table) => harness.sql`select * from ${harness.sql(table)} where workspace_id = ${workspaceId}`,
    ),
  );
  return JSON.stringify(rows);
}

function theScope(route: string): Scope {
  const scope = scopeOf.get(route);
  if (!scope) throw new Error(`${route} is not in the document`);
  return scope;
}

describe("every route of the configuration", () => {
  it("that names a thing is in the table of this test", () => {
    // `PUT` is left out, because it creates what does not exist.
    const named = [...scopeOf.keys()].filter(
      (route) => /\{/.test(route) && !/^PUT|\{workspace_id\}/.test(route),
    );
    expect(named.toSorted()).toEqual(ofOneThing.toSorted());
  });

  it("reads with read, writes with write, operates with operate; workspaces, credentials and alert targets are an admin's", () => {
    for (const [route, scope] of scopeOf) {
      // Whoever is given a secret can post from then on.
      const givesSecret = /\/endpoints\/.*\/(rotate|signing)$/.test(route);
      const operates = !givesSecret && /\/(pause|resume|enable|disable|rotate|run|test)$/.test(route);
      const ofAdmin =
        /^\w+ \/credentials|^(?!GET )\w+ \/workspaces|\/export$/.test(route) ||
        (/^(?!GET )\w+ \/alert_targets/.test(route) && !operates);
      const expected = ofAdmin ? "admin" : route.startsWith("GET ") ? "read" : operates ? "operate" : "write";
      expect({ route, scope }).toEqual({ route, scope: expected });
    }
  });

  // covers autoposting: Data model requirements
  it.each(ofOneThing)("%s does not find what is another workspace's", async (route) => {
    const before = await stateOf(victim);
    const headers = await harness.server.bearer([theScope(route)], intruder);
    expect(await send(route, headers)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await stateOf(victim)).toBe(before);
  });
});
