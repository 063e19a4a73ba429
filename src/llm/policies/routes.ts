import { z } from "zod";
import type { App } from "../../http/index.ts";
import { byOf, deletion, inWorkspace, somethingOf, workspaceOf } from "../../workspaces/index.ts";
import type { RouteDeps } from "../admin/deps.ts";
import { tryOut, tryOutBody, tryOutResult } from "../try-out.ts";
import { addPolicy, changePolicy, listPolicies, readPolicy, removePolicy } from "./policies.ts";
import { listPrices, setPrice } from "./prices.ts";
import { chosenName, newPolicy, newPrice, policyChange, policySchema, priceSchema, reason } from "./shape.ts";

const tags = ["llm"];
const params = z.object({ key: chosenName });
const querystring = z.object(inWorkspace);

export function policyRoutes(app: App, deps: RouteDeps): void {
  const { sql, gateway } = deps;

  app.get(
    "/api/v1/llm/policies",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Which model answers for what",
        querystring,
        response: { 200: z.object({ items: z.array(policySchema) }) },
      },
    },
    async (request) => ({ items: await listPolicies(sql, await workspaceOf(sql, request, request.query)) }),
  );

  app.post(
    "/api/v1/llm/policies",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Add a policy",
        querystring,
        body: newPolicy.extend({ reason: reason.optional() }),
        response: { 201: policySchema },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...policy } = request.body;
      return reply.code(201).send(await addPolicy(deps, workspaceId, policy, byOf(request, why)));
    },
  );

  app.get(
    "/api/v1/llm/policies/:key",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One policy", params, querystring, response: { 200: policySchema } },
    },
    async (request) => readPolicy(sql, await workspaceOf(sql, request, request.query), request.params.key),
  );

  app.patch(
    "/api/v1/llm/policies/:key",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Change a policy: another model, other limits, on or off, from the next call on",
        params,
        querystring,
        body: somethingOf(policyChange),
        response: { 200: policySchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...change } = request.body;
      return changePolicy(deps, workspaceId, request.params.key, change, byOf(request, why));
    },
  );

  app.delete(
    "/api/v1/llm/policies/:key",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary:
          "Delete a policy; one of the release comes back with the next start, so switch that off instead",
        params,
        querystring: z.object(deletion),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run: dryRun } = request.query;
      await removePolicy(deps, workspaceId, request.params.key, byOf(request, why), { dryRun });
      return reply.code(204).send();
    },
  );

  app.post(
    "/api/v1/llm/policies/:key/try",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Ask a model by this policy, to see whether it works; it costs what a call costs",
        params,
        querystring,
        body: tryOutBody,
        response: { 200: tryOutResult },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      await readPolicy(sql, workspaceId, request.params.key);
      return tryOut(gateway, workspaceId, request.params.key, request.body);
    },
  );

  app.get(
    "/api/v1/llm/prices",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "What models cost, for estimates and for providers that do not say",
        querystring,
        response: { 200: z.object({ items: z.array(priceSchema) }) },
      },
    },
    async (request) => ({ items: await listPrices(sql, await workspaceOf(sql, request, request.query)) }),
  );

  app.put(
    "/api/v1/llm/prices",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Set the price of a model",
        querystring,
        body: newPrice.extend({ reason: reason.optional() }),
        response: { 200: priceSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...price } = request.body;
      return setPrice(deps, workspaceId, price, byOf(request, why));
    },
  );
}
