/** `/api/v1/seo/admin/…`: what an administrator sees and does in the bot, by the same services. */
import { z } from "zod";
import { adjust } from "../../billing/index.ts";
import { type App, lineOfText, problem } from "../../http/index.ts";
import {
  type AdminDeps,
  noteReadingBy,
  reason,
  somethingOf,
  workspaceRoutes,
} from "../../workspaces/index.ts";
import type { Office } from "../bot/admin/office.ts";
import { botName } from "../bot/bot-name.ts";
import { product } from "../bot/money/selling.ts";
import { readSwitches, setSwitches, switchesSchema } from "../notices/switches.ts";
import { userIdText } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import type { Sources } from "../sources/index.ts";
import { sourceNames } from "../sources/index.ts";
import { broadcastRoutes } from "./broadcast-routes.ts";
import { readCosts, readFailures, readLoad, readPanel } from "./panel.ts";
import { findPerson, readPersonCard } from "./person-card.ts";
import {
  costsSchema,
  failuresSchema,
  monitoringSchema,
  personCardSchema,
  statisticsSchema,
} from "./shape.ts";

export interface OfficeDeps extends AdminDeps {
  readonly office: Office;
  readonly sources: Pick<Sources, "isOn">;
}

export const place = { under: "/api/v1/seo/admin", tag: "seo" } as const;
const person = z.object({ user_id: userIdText });
const failuresAtMost = 200;

export function officeRoutes(app: App, deps: OfficeDeps): void {
  figureRoutes(app, deps);
  personRoutes(app, deps);
  noticeRoutes(app, deps);
  broadcastRoutes(app, deps);
}

function figureRoutes(app: App, { sql, clock, office, sources }: OfficeDeps): void {
  const routes = workspaceRoutes(app, sql, place);
  const inRub = (usd: number) => ({ usd, rub: usd * office.usdRub });

  routes.get(
    "/statistics",
    {
      scope: "people",
      summary: "People, money, publications, referrals; each reading is recorded",
      answer: statisticsSchema,
    },
    async ({ workspaceId, request }) => {
      const now = clock.now();
      const { users, paid, projects, publications, revenueRub, costUsd, tariffs, payments, referrals } =
        await readPanel(sql, {
          ...{ workspaceId, product, now },
        });
      await noteReadingBy(sql, request, { workspaceId, now, meta: { object: "seo_statistics" } });
      return {
        ...{ users: { all: users, paid, free: users - paid }, projects, publications_7d: publications },
        ...{ revenue_30d_rub: revenueRub, api_cost_30d: inRub(costUsd) },
        ...{ tariffs: [...tariffs], last_payments: [...payments], referrals },
      };
    },
  );
  routes.get(
    "/monitoring",
    {
      scope: "read",
      summary: "What is being done now, and what went wrong in the last hour",
      answer: monitoringSchema,
    },
    async ({ workspaceId }) => {
      const load = await readLoad(sql, { workspaceId, bot: botName, now: clock.now() });
      return {
        works: { queued: load.queued, running: load.running, failed_1h: load.failed },
        ...{ oldest_waits_seconds: load.waits, unanswered_updates: load.updates },
        ...{ broken_connections: load.brokenConnections, broken_schedules: load.brokenSchedules },
        sources: Object.fromEntries(sourceNames.map((name) => [name, sources.isOn(name)])),
      };
    },
  );
  routes.get(
    "/costs",
    {
      scope: "read",
      summary: "What calls to providers have cost, in dollars and roubles",
      query: {
        days: z.coerce
          .number()
          .pipe(z.union([z.literal(7), z.literal(30), z.literal(90)]))
          .default(30),
      },
      answer: costsSchema,
    },
    async ({ workspaceId, query: { days } }) => {
      const rows = await readCosts(sql, { workspaceId, days, now: clock.now() });
      const calls = rows.reduce((sum, row) => sum + row.calls, 0);
      const total = { ...inRub(rows.reduce((sum, { usd }) => sum + usd, 0)), calls };
      const providers = rows.map(({ provider, calls: own, usd }) => ({
        provider,
        calls: own,
        ...inRub(usd),
      }));
      return { days, usd_rub: office.usdRub, total, providers };
    },
  );
  routes.get(
    "/failures",
    {
      scope: "people",
      summary: `Works and publications that failed, the newest first, ${failuresAtMost} at most; each reading is recorded`,
      query: {
        hours: z.coerce.number().int().min(1).max(168).default(24),
        language: z.enum(["ru", "en"]).default("en"),
      },
      answer: failuresSchema,
    },
    async ({ workspaceId, query, request }) => {
      const now = clock.now();
      const items = await readFailures(sql, { workspaceId, now, ...query }, failuresAtMost);
      await noteReadingBy(sql, request, {
        workspaceId,
        now,
        meta: { object: "seo_failures", count: items.length },
      });
      return { items: [...items] };
    },
  );
}

function personRoutes(app: App, deps: OfficeDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, place);
  routes.get(
    "/find",
    {
      scope: "people",
      summary: "One person by the Telegram id or @username; each reading is recorded",
      query: {
        person: z.string().trim().min(1).max(100).describe("An id, a @name, or an address of t.me"),
      },
      answer: personCardSchema,
    },
    async ({ workspaceId, query, request }) => {
      const userId = await findPerson(sql, workspaceId, query.person);
      const card =
        userId === undefined ? undefined : await readPersonCard(sql, { workspaceId, userId, product });
      if (!card) throw problem("not_found", { detail: "There is no such person." });
      await noteReadingBy(sql, request, {
        workspaceId,
        now: clock.now(),
        meta: { object: "seo_user", user_id: card.id },
      });
      return card;
    },
  );
  routes.post(
    "/users/:user_id/adjust",
    {
      scope: "admin",
      summary: "Give a person tokens, or take some; the balance cannot go below zero by it",
      params: person,
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
      answer: personCardSchema,
    },
    async ({ workspaceId, params: { user_id: userId }, body: { tokens, key }, by }) => {
      await adjust(deps, workspaceId, { userId, tokens, key }, by);
      const card = await readPersonCard(sql, { workspaceId, userId, product });
      if (!card) throw notFound("person", userId);
      return card;
    },
  );
}

function noticeRoutes(app: App, deps: OfficeDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, place);
  routes.get(
    "/notices",
    { scope: "read", summary: "Which automatic notices are sent", answer: switchesSchema },
    ({ workspaceId }) => readSwitches(sql, workspaceId),
  );
  routes.patch(
    "/notices",
    {
      scope: "admin",
      summary: "Switch automatic notices on or off",
      body: somethingOf(z.strictObject(switchesSchema.shape).partial().extend({ reason: reason.optional() })),
      answer: switchesSchema,
    },
    ({ workspaceId, body, by }) => setSwitches(deps, workspaceId, body, by),
  );
}
