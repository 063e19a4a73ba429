import { z } from "zod";
import type { App } from "../../http/index.ts";
import { byOf, inWorkspace, noteReadingBy, reason, workspaceOf } from "../../workspaces/index.ts";
import type { AdvisorDeps } from "../deps.ts";
import { idInQuery } from "../people/me.ts";
import { listPeople, personShape, readPerson, setPlan } from "./people.ts";
import { describePlans, planShape, readPlanUsage, usageShape } from "./usage.ts";

const tags = ["advisor"];
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const count = z
  .string()
  .regex(/^\d{1,3}$/, "A whole number from 1 to 200")
  .transform(Number)
  .refine((number) => number >= 1 && number <= 200, "A whole number from 1 to 200");
const month = 30 * 86_400_000;

/** What operators see and change of the advisor. */
export function adminRoutes(app: App, { sql, clock, settings }: AdvisorDeps): void {
  app.get(
    "/api/v1/advisor/users",
    {
      config: { scope: "people" },
      schema: {
        tags,
        summary: "People who use the advisor, with what they used and cost; each reading is recorded",
        querystring: z.object({
          ...inWorkspace,
          plan: z.enum(["free", "pro"]).optional(),
          limit: count.optional(),
          after: idInQuery.optional().describe("`next` of the page before"),
        }),
        response: { 200: z.object({ items: z.array(personShape), next: z.number().nullable() }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { plan, limit = 50, after } = request.query;
      const now = clock.now();
      const rows = await listPeople(sql, workspaceId, { plan, limit: limit + 1, after }, now);
      const items = rows.slice(0, limit);
      await noteReadingBy(sql, request, {
        workspaceId,
        now,
        meta: { object: "advisor_users", count: items.length },
      });
      return { items, next: rows.length > limit ? (items.at(-1)?.telegram_user_id ?? null) : null };
    },
  );

  app.get(
    "/api/v1/advisor/users/:telegram_user_id",
    {
      config: { scope: "people" },
      schema: {
        tags,
        summary: "One person who uses the advisor; each reading is recorded",
        params: z.object({ telegram_user_id: idInQuery }),
        querystring: z.object(inWorkspace),
        response: { 200: personShape },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const now = clock.now();
      const person = await readPerson(sql, workspaceId, request.params.telegram_user_id, now);
      // By the id that leads nowhere once the person has deleted everything.
      const meta = { object: "advisor_user", user_id: person.user_id };
      await noteReadingBy(sql, request, { workspaceId, now, meta });
      return person;
    },
  );

  app.put(
    "/api/v1/advisor/users/:telegram_user_id/plan",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Give a person Pro, or take it back",
        params: z.object({ telegram_user_id: idInQuery }),
        querystring: z.object(inWorkspace),
        body: z.strictObject({ plan: z.enum(["free", "pro"]), reason: reason.optional() }),
        // Who may change a plan need not be allowed to read about people.
        response: { 200: personShape.pick({ user_id: true, telegram_user_id: true, plan: true }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { plan, reason: why } = request.body;
      return setPlan({ sql, clock }, workspaceId, request.params.telegram_user_id, plan, byOf(request, why));
    },
  );

  app.get(
    "/api/v1/advisor/plans",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "What each plan allows, and which policies answer for it",
        response: { 200: z.object({ items: z.array(planShape) }) },
      },
    },
    async () => ({ items: describePlans(settings) }),
  );

  app.get(
    "/api/v1/advisor/usage",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Questions and what they cost, by plan",
        querystring: z.object({
          ...inWorkspace,
          from: moment.optional().describe("30 days ago unless given"),
          to: moment.optional().describe("Now unless given"),
        }),
        response: { 200: z.object({ from: z.date(), to: z.date(), items: z.array(usageShape) }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const to = request.query.to ?? new Date(clock.now().getTime() + 1);
      const from = request.query.from ?? new Date(to.getTime() - month);
      return { from, to, items: await readPlanUsage(sql, workspaceId, { from, to }) };
    },
  );
}
