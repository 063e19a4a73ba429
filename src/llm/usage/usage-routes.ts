import { z } from "zod";
import { type App, callerOf, coversInstallation, lineOfText } from "../../http/index.ts";
import { pageOfAll, pageQuery, pageSchema, workspaceRoutes } from "../../workspaces/index.ts";
import { installationCapSchema, listInstallationCaps } from "../budgets/installation.ts";
import { chosenName } from "../policies/policy-shape.ts";
import { providerNames } from "../providers/settings.ts";
import type { RouteDeps } from "../route-deps.ts";
import { callPage, callSchema, groupings, readUsage, usageRow } from "./usage.ts";

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const filters = { policy: chosenName.optional(), user_id: lineOfText({ min: 1, max: 200 }).optional() };
const usualDays = 30;
const day = 86_400_000;

/** `day,policy` in a query, where every value is text. */
const by = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(z.enum(groupings)).min(1));

export function usageRoutes(app: App, { sql, clock, gateway }: RouteDeps): void {
  const under = "/api/v1/llm";
  const tag = "llm";
  const routes = workspaceRoutes(app, sql, { under, tag });

  routes.get(
    "/usage",
    {
      scope: "read",
      summary: "What was asked of models and what it cost, by day, policy, model or user",
      query: {
        by: by
          .optional()
          .describe("One or several of day, policy, model, user, separated by commas; day unless given"),
        from: moment.optional().describe("30 days ago unless given"),
        to: moment.optional().describe("Now unless given"),
        ...filters,
      },
      answer: z.object({
        from: z.date(),
        to: z.date(),
        items: z.array(usageRow),
        installation: z
          .array(installationCapSchema)
          .nullable()
          .describe("Caps over all workspaces; null for callers whose rights cover only some of them"),
      }),
    },
    async ({ workspaceId, query, request }) => {
      const { by: apart = ["day" as const], policy, user_id: userId, to = clock.now() } = query;
      const { from = new Date(to.getTime() - usualDays * day) } = query;
      const items = await readUsage(sql, workspaceId, { from, to, by: apart, policy, userId });
      const seesAll = coversInstallation(callerOf(request));
      return { from, to, items, installation: seesAll ? await listInstallationCaps(sql, clock.now()) : null };
    },
  );
  routes.list(
    "/calls",
    {
      scope: "read",
      summary: "Calls with their requests, the newest first; what was asked and answered is not kept",
      query: { ...filters, status: callSchema.shape.status.optional() },
      item: callSchema,
    },
    ({ workspaceId, query, page }) => callPage(sql, workspaceId, { ...query, ...page }),
  );

  // The same in every workspace.
  app.get(
    `${under}/providers`,
    {
      config: { scope: "read", about: "workspace" },
      schema: {
        tags: [tag],
        summary: "Which providers have a key, and whether this process leaves one alone after failures",
        querystring: z.object(pageQuery),
        response: { 200: pageSchema(providerSchema) },
      },
    },
    async ({ query }) => pageOfAll(gateway.providers(), query),
  );
}

const providerSchema = z
  .object({
    provider: z.enum(providerNames),
    configured: z.boolean(),
    host: z.string().nullable(),
    circuit: z.enum(["closed", "open", "half_open"]),
    failures: z.int(),
    until: z.date().nullable(),
  })
  .meta({ id: "LlmProvider" });
