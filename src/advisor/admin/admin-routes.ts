import { z } from "zod";
import type { App } from "../../http/index.ts";
import {
  noteReadingBy,
  pageOfAll,
  pageQuery,
  pageSchema,
  reason,
  workspaceRoutes,
} from "../../workspaces/index.ts";
import type { AdvisorDeps } from "../deps.ts";
import { idInQuery } from "../people/me-routes.ts";
import { peoplePage, personShape, readPerson, setPlan } from "./people.ts";
import { describePlans, planShape, readPlanUsage, usageShape } from "./plan-usage.ts";

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const month = 30 * 86_400_000;
const params = z.object({ telegram_user_id: idInQuery });
const plan = z.enum(["free", "pro"]);

export function adminRoutes(app: App, { sql, clock, settings }: AdvisorDeps): void {
  const under = "/api/v1/advisor";
  const tag = "advisor";
  const routes = workspaceRoutes(app, sql, { under, tag });

  routes.list(
    "/users",
    {
      scope: "people",
      summary: "People who use the advisor, with usage and cost; each reading is recorded",
      query: { plan: plan.optional() },
      item: personShape,
    },
    async ({ workspaceId, query, page, request }) => {
      const now = clock.now();
      const people = await peoplePage(sql, workspaceId, { ...query, ...page }, now);
      const meta = { object: "advisor_users", count: people.items.length };
      await noteReadingBy(sql, request, { workspaceId, now, meta });
      return people;
    },
  );
  routes.get(
    "/users/:telegram_user_id",
    {
      scope: "people",
      summary: "One person who uses the advisor; each reading is recorded",
      params,
      answer: personShape,
    },
    async ({ workspaceId, params: { telegram_user_id }, request }) => {
      const now = clock.now();
      const person = await readPerson(sql, workspaceId, telegram_user_id, now);
      // This id is meaningless after the person deleted their data.
      const meta = { object: "advisor_user", user_id: person.user_id };
      await noteReadingBy(sql, request, { workspaceId, now, meta });
      return person;
    },
  );
  routes.put(
    "/users/:telegram_user_id/plan",
    {
      scope: "write",
      summary: "Give a person Pro, or take it back",
      params,
      body: z.strictObject({ plan, reason: reason.optional() }),
      // Changing a plan does not require permission to read about people.
      answer: personShape.pick({ user_id: true, telegram_user_id: true, plan: true }),
    },
    ({ workspaceId, params: { telegram_user_id }, body, by }) =>
      setPlan({ sql, clock }, workspaceId, telegram_user_id, body.plan, by),
  );
  routes.get(
    "/usage",
    {
      scope: "read",
      summary: "Questions and their cost, by plan",
      query: {
        from: moment.optional().describe("Default: 30 days ago"),
        to: moment.optional().describe("Default: now"),
      },
      answer: z.object({ from: z.date(), to: z.date(), items: z.array(usageShape) }),
    },
    async ({ workspaceId, query }) => {
      const { to = new Date(clock.now().getTime() + 1) } = query;
      const { from = new Date(to.getTime() - month) } = query;
      return { from, to, items: await readPlanUsage(sql, workspaceId, { from, to }) };
    },
  );

  app.get(
    `${under}/plans`,
    {
      config: { scope: "read", about: "workspace" },
      schema: {
        tags: [tag],
        summary: "Limits and policies of each plan",
        querystring: z.object(pageQuery),
        response: { 200: pageSchema(planShape) },
      },
    },
    async ({ query }) => pageOfAll(describePlans(settings), query),
  );
}
