import { z } from "zod";
import { type App, callerOf, lineOfText } from "../../http/index.ts";
import { inWorkspace, workspaceOf } from "../../workspaces/index.ts";
import type { RouteDeps } from "../admin/deps.ts";
import { installationCapSchema, listInstallationCaps } from "../budgets/installation.ts";
import { chosenName } from "../policies/shape.ts";
import { providerNames } from "../providers/settings.ts";
import { callSchema, groupings, listCalls, readUsage, usageRow } from "./usage.ts";

const tags = ["llm"];
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const person = lineOfText({ min: 1, max: 200 });
const usualDays = 30;
const day = 86_400_000;

/** `day,policy` in a query, which knows only text. */
const by = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(z.enum(groupings)).min(1));

const count = z
  .string()
  .regex(/^\d{1,3}$/, "A whole number from 1 to 200")
  .transform(Number)
  .refine((number) => number >= 1 && number <= 200, "A whole number from 1 to 200");

export function usageRoutes(app: App, { sql, clock, gateway }: RouteDeps): void {
  app.get(
    "/api/v1/llm/usage",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "What was asked of models and what it cost, by day, policy, model or user",
        querystring: z.object({
          ...inWorkspace,
          by: by
            .optional()
            .describe("One or several of day, policy, model, user, separated by commas; day unless given"),
          from: moment.optional().describe("30 days ago unless given"),
          to: moment.optional().describe("Now unless given"),
          policy: chosenName.optional(),
          user_id: person.optional(),
        }),
        response: {
          200: z.object({
            from: z.date(),
            to: z.date(),
            items: z.array(usageRow),
            installation: z
              .array(installationCapSchema)
              .nullable()
              .describe("Caps over all workspaces; null for a token that is bound to one of them"),
          }),
        },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { by: apart = ["day" as const], policy, user_id: userId } = request.query;
      const to = request.query.to ?? clock.now();
      const from = request.query.from ?? new Date(to.getTime() - usualDays * day);
      const items = await readUsage(sql, workspaceId, { from, to, by: apart, policy, userId });
      const isBound = callerOf(request).workspaceId !== null;
      return { from, to, items, installation: isBound ? null : await listInstallationCaps(sql, clock.now()) };
    },
  );

  app.get(
    "/api/v1/llm/calls",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Calls with their requests, the newest first; what was asked and answered is not kept",
        querystring: z.object({
          ...inWorkspace,
          limit: count.optional(),
          after: z.uuid().optional().describe("`next` of the page before"),
          policy: chosenName.optional(),
          user_id: person.optional(),
          status: callSchema.shape.status.optional(),
        }),
        response: { 200: z.object({ items: z.array(callSchema), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { limit = 50, after, policy, user_id: userId, status } = request.query;
      const rows = await listCalls(sql, workspaceId, { limit: limit + 1, after, policy, userId, status });
      const items = rows.slice(0, limit);
      return { items, next: rows.length > limit ? (items.at(-1)?.call_id ?? null) : null };
    },
  );

  app.get(
    "/api/v1/llm/providers",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Which providers have a key, and whether this process leaves one alone after failures",
        response: { 200: z.object({ items: z.array(providerSchema) }) },
      },
    },
    async () => ({ items: [...gateway.providers()] }),
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
