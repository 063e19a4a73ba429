import { z } from "zod";
import { type App, lineOfText, type RouteModule } from "../http/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { flag, noteReadingBy, reason, workspaceRoutes } from "../workspaces/index.ts";
import { checkSchema } from "./books/check.ts";
import { checkEverything } from "./books/compare-providers.ts";
import { readReport, reportSchema } from "./books/report.ts";
import { catalogueRoutes } from "./catalogue/routes.ts";
import { adjust } from "./people/adjust.ts";
import { holdPage, movementPage, peoplePage, readPerson } from "./people/people.ts";
import {
  adjustedSchema,
  holdSchema,
  holdStates,
  movementKinds,
  movementSchema,
  personSchema,
  userId,
} from "./people/shape.ts";
import { billingProblems } from "./problems.ts";
import type { Providers } from "./providers/provider.ts";
import { salesRoutes } from "./sales/routes.ts";

export interface BillingDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Roubles per dollar, for reports. */
  readonly usdRub: number;
  readonly providers: Providers;
}

/** Routes by which operators see and change tokens and money. */
export function billingRoutes(deps: BillingDeps): RouteModule {
  return {
    name: "billing",
    problems: billingProblems,
    routes(app) {
      peopleRoutes(app, deps);
      bookRoutes(app, deps);
      salesRoutes(app, deps);
      catalogueRoutes(app, deps);
    },
  };
}

export const place = { under: "/api/v1/billing", tag: "billing" } as const;
const params = z.object({ user_id: userId });
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const month = 30 * 86_400_000;

function peopleRoutes(app: App, deps: BillingDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, place);

  routes.list(
    "/users",
    {
      scope: "people",
      summary: "People with their balances, the newest first; each reading is recorded",
      query: { owing: flag.optional().describe("true: only those whose balance is below zero") },
      item: personSchema,
    },
    async ({ workspaceId, query, page, request }) => {
      const people = await peoplePage(sql, workspaceId, { ...query, ...page });
      const meta = { object: "billing_users", count: people.items.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return people;
    },
  );
  routes.get(
    "/users/:user_id",
    {
      scope: "people",
      summary: "One person's balance; each reading is recorded",
      params,
      answer: personSchema,
    },
    async ({ workspaceId, params: { user_id }, request }) => {
      const person = await readPerson(sql, workspaceId, user_id);
      const meta = { object: "billing_user", user_id };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return person;
    },
  );
  routes.list(
    "/users/:user_id/movements",
    {
      scope: "people",
      summary: "What a person spent and got, the newest first; each reading is recorded",
      params,
      query: { kind: z.enum(movementKinds).optional() },
      item: movementSchema,
    },
    async ({ workspaceId, params: { user_id }, query, page, request }) => {
      const movements = await movementPage(sql, workspaceId, user_id, { ...query, ...page });
      const meta = { object: "billing_movements", user_id };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return movements;
    },
  );
  routes.post(
    "/users/:user_id/adjust",
    {
      scope: "admin",
      summary: "Give a person tokens, or take some; the balance cannot go below zero by it",
      params,
      body: z.strictObject({
        tokens: z
          .int()
          .min(-100_000_000)
          .max(100_000_000)
          .refine((tokens) => tokens !== 0, "Give a number above zero to add, below zero to take")
          .describe("Above zero to give, below to take"),
        reason,
        key: lineOfText({ min: 1, max: 200 })
          .optional()
          .describe("Sent again under its key, it changes nothing"),
      }),
      answer: adjustedSchema,
    },
    ({ workspaceId, params: { user_id }, body, by }) =>
      adjust(deps, workspaceId, { userId: user_id, ...body }, by),
  );
  routes.list(
    "/holds",
    {
      scope: "people",
      summary: "What is and was held for work, the newest first; each reading is recorded",
      query: {
        state: z.enum(holdStates).optional(),
        run: z.string().max(150).optional().describe("Only of this piece of work"),
        user_id: userId.optional(),
      },
      item: holdSchema,
    },
    async ({ workspaceId, query, page, request }) => {
      const holds = await holdPage(sql, workspaceId, { ...query, ...page });
      const meta = { object: "billing_holds", count: holds.items.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return holds;
    },
  );
}

function bookRoutes(app: App, { sql, clock, usdRub, providers }: BillingDeps): void {
  const routes = workspaceRoutes(app, sql, place);

  routes.get(
    "/check",
    {
      scope: "read",
      summary:
        "Prove the books: transfers, balances, holds, costs, and payments against what their providers say; it reads all of them",
      answer: checkSchema,
    },
    ({ workspaceId }) => checkEverything(sql, providers, workspaceId, clock.now()),
  );
  routes.get(
    "/report",
    {
      scope: "read",
      summary: "Tokens sold and spent, cost and margin, by day and by kind of work",
      query: {
        from: moment.optional().describe("30 days ago unless given"),
        to: moment.optional().describe("Now unless given"),
      },
      answer: reportSchema,
    },
    ({ workspaceId, query }) => {
      const { to = new Date(clock.now().getTime() + 1) } = query;
      const { from = new Date(to.getTime() - month) } = query;
      return readReport(sql, workspaceId, { from, to, usdRub });
    },
  );
}
