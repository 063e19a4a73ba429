import { z } from "zod";
import type { App } from "../../../http/index.ts";
import {
  byOf,
  countUpTo,
  inWorkspace,
  noteReadingBy,
  reason,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { lookAtBot, monitorRules, snapshotSchema } from "../../monitor/monitor.ts";
import { alertFor, noteTold } from "../../monitor/told.ts";
import { botStats, statsSchema } from "../../read/stats.ts";
import { questionGroup, unanswered } from "../../read/unanswered.ts";
import { keepSubscribed } from "../../subscription/keep-subscribed.ts";
import { botProblem } from "../problems.ts";
import { botChanges, botSchema, changeBot, newBot, readBot, renewSecret, setUpBot } from "../setup.ts";
import type { BotRoutesDeps } from "./deps.ts";

const tags = ["bot"];
const querystring = z.object(inWorkspace);
const sinceDays = { days: countUpTo(365).optional().describe("How many days back; 7 unless given") };

/** The bot itself: making it, changing it, its webhook, how it does. */
export function botRoutes(app: App, deps: BotRoutesDeps): void {
  const { sql, clock } = deps;
  const daysAgo = (days = 7) => new Date(clock.now().getTime() - days * 86_400_000);

  app.get(
    "/api/v1/bot",
    {
      config: { scope: "read" },
      schema: { tags, summary: "The workspace's shop bot", querystring, response: { 200: botSchema } },
    },
    async (request) => readBot(sql, await workspaceOf(sql, request, request.query)),
  );

  app.post(
    "/api/v1/bot",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Make the workspace's shop bot",
        querystring,
        body: newBot,
        response: { 201: botSchema },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return reply.code(201).send(await setUpBot(deps, workspaceId, request.body, byOf(request)));
    },
  );

  app.patch(
    "/api/v1/bot",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Switch the bot on or off, change its rates and its operators' chat",
        querystring,
        body: botChanges.extend({ reason: reason.optional() }),
        response: { 200: botSchema },
      },
    },
    async (request) => {
      const { reason: why, ...changes } = request.body;
      const workspaceId = await workspaceOf(sql, request, request.query);
      return changeBot(deps, workspaceId, changes, byOf(request, why));
    },
  );

  app.post(
    "/api/v1/bot/subscribe",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Tell MAX to send the bot's updates here, and keep it so",
        querystring,
        body: z.strictObject({
          new_secret: z
            .boolean()
            .default(false)
            .describe("With another secret; the old one opens nothing any more"),
        }),
        response: { 200: botSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      await readBot(sql, workspaceId);
      const by = byOf(request);
      if (request.body.new_secret) await renewSecret(deps, workspaceId, by);
      const kept = await keepSubscribed(workspaceId, deps.publicUrl(), deps, { force: true });
      if (kept.kind === "failed") throw botProblem("bot_provider_refused", { detail: kept.reason });
      return changeBot(deps, workspaceId, { keep_subscribed: true }, by);
    },
  );

  app.get(
    "/api/v1/bot/stats",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "What the bot did: questions, answers, rules, times",
        querystring: querystring.extend(sinceDays),
        response: { 200: statsSchema },
      },
    },
    async (request) =>
      botStats(sql, await workspaceOf(sql, request, request.query), daysAgo(request.query.days)),
  );

  app.get(
    "/api/v1/bot/unanswered",
    {
      config: { scope: "people" },
      schema: {
        tags,
        summary: "Questions that no rule knew, grouped by likeness; each reading is recorded",
        querystring: querystring.extend(sinceDays),
        response: { 200: z.object({ groups: z.array(questionGroup) }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const groups = await unanswered(sql, workspaceId, daysAgo(request.query.days));
      const meta = { object: "unanswered_questions", count: groups.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return { groups: groups.map((group) => questionGroup.parse(group)) };
    },
  );

  app.get(
    "/api/v1/bot/monitor",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "The bot monitor: errors and unanswered questions of the last minutes",
        querystring,
        response: {
          200: z.object({
            window_minutes: z.int(),
            thresholds: monitorRules.omit({ window_minutes: true }),
            snapshot: snapshotSchema,
            reasons: z.array(z.string()).describe("What an alert would name now"),
            alert_fingerprint: z.string().nullable().describe("Null without reasons"),
            cooldown_until: z
              .date()
              .nullable()
              .describe("People were told of these reasons; until then they are not told again"),
          }),
        },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const look = await lookAtBot(sql, workspaceId, clock.now());
      if (!look) throw botProblem("bot_missing");
      const { window_minutes, ...thresholds } = look.rules;
      const reasons = [...look.reasons];
      const alert = await alertFor(sql, workspaceId, reasons, clock.now());
      return { window_minutes, thresholds, snapshot: look.snapshot, reasons, ...alert };
    },
  );

  app.post(
    "/api/v1/bot/monitor/told",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Note that people were told of these reasons: the same ones rest for the alerts' cooldown",
        querystring,
        body: z.strictObject({ reasons: z.array(z.string().min(1).max(64)).min(1).max(20) }),
        response: { 200: z.object({ alert_fingerprint: z.string(), cooldown_until: z.date() }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return noteTold(sql, workspaceId, request.body.reasons, clock.now());
    },
  );
}
