import { z } from "zod";
import type { App } from "../../http/index.ts";
import { pageOfAll, reason, somethingOf, workspaceRoutes } from "../../workspaces/index.ts";
import type { RouteDeps } from "../route-deps.ts";
import { trialBody, trialResult, tryPolicy } from "../try-policy.ts";
import { addPolicy, changePolicy, listPolicies, readPolicy, removePolicy } from "./policies.ts";
import { chosenName, newPolicy, newPrice, policyChange, policySchema, priceSchema } from "./policy-shape.ts";
import { listPrices, setPrice } from "./prices.ts";

const params = z.object({ key: chosenName });
const withReason = { reason: reason.optional() };

export function policyRoutes(app: App, deps: RouteDeps): void {
  const { sql, gateway } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/llm", tag: "llm" });

  routes.list(
    "/policies",
    { scope: "read", summary: "Which model answers for what", item: policySchema },
    async ({ workspaceId, page }) => pageOfAll(await listPolicies(sql, workspaceId), page),
  );
  routes.post(
    "/policies",
    {
      scope: "write",
      summary: "Add a policy",
      body: newPolicy.extend(withReason),
      answer: policySchema,
      status: 201,
    },
    ({ workspaceId, body, by }) => addPolicy(deps, workspaceId, body, by),
  );
  routes.get(
    "/policies/:key",
    { scope: "read", summary: "One policy", params, answer: policySchema },
    ({ workspaceId, params: { key } }) => readPolicy(sql, workspaceId, key),
  );
  routes.patch(
    "/policies/:key",
    {
      scope: "write",
      summary: "Change a policy: another model, other limits, on or off, from the next call on",
      params,
      body: somethingOf(policyChange),
      answer: policySchema,
    },
    ({ workspaceId, params: { key }, body, by }) => changePolicy(deps, workspaceId, key, body, by),
  );
  routes.delete(
    "/policies/:key",
    {
      scope: "write",
      summary:
        "Delete a policy; one of the release comes back with the next start, so switch that off instead",
      params,
    },
    ({ workspaceId, params: { key }, by, dryRun }) => removePolicy(deps, workspaceId, key, by, { dryRun }),
  );
  routes.post(
    "/policies/:key/try",
    {
      scope: "operate",
      summary: "Ask a model by this policy, to see whether it works; it costs what a call costs",
      params,
      body: trialBody,
      answer: trialResult,
    },
    async ({ workspaceId, params: { key }, body }) => {
      await readPolicy(sql, workspaceId, key);
      return tryPolicy(gateway, workspaceId, key, body);
    },
  );

  routes.list(
    "/prices",
    {
      scope: "read",
      summary: "What models cost, for estimates and for providers that do not say",
      item: priceSchema,
    },
    async ({ workspaceId, page }) => pageOfAll(await listPrices(sql, workspaceId), page),
  );
  routes.put(
    "/prices",
    {
      scope: "admin",
      summary: "Set the price of a model",
      body: newPrice.extend(withReason),
      answer: priceSchema,
    },
    ({ workspaceId, body, by }) => setPrice(deps, workspaceId, body, by),
  );
}
