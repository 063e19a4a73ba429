import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { countUpTo, noteReadingBy, pageOfAll, reason, workspaceRoutes } from "../../../workspaces/index.ts";
import { alertFor, noteTold } from "../../monitor/alert-receipts.ts";
import { lookAtBot, monitorRules, snapshotSchema } from "../../monitor/bot-monitor.ts";
import { botStats, statsSchema } from "../../read/bot-stats.ts";
import { questionGroup } from "../../read/similar-questions.ts";
import { unanswered } from "../../read/unanswered.ts";
import { keepSubscribed } from "../../subscription/keep-subscribed.ts";
import { botProblem } from "../bot-problems.ts";
import { botChanges, botSchema, changeBot, newBot, readBot, renewSecret, setUpBot } from "../bot-setup.ts";
import type { BotRoutesDeps } from "./deps.ts";

const sinceDays = { days: countUpTo(365).optional().describe("Number of days; default: 7") };

export function botRoutes(app: App, deps: BotRoutesDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/bot", tag: "bot" });
  const daysAgo = (days = 7) => new Date(clock.now().getTime() - days * 86_400_000);

  routes.get(
    "",
    { scope: "read", summary: "The workspace's shop bot", answer: botSchema },
    ({ workspaceId }) => readBot(sql, workspaceId),
  );
  routes.post(
    "",
    {
      scope: "admin",
      summary: "Create the workspace's shop bot",
      body: newBot,
      answer: botSchema,
      status: 201,
    },
    ({ workspaceId, body, by }) => setUpBot(deps, workspaceId, body, by),
  );
  routes.patch(
    "",
    {
      scope: "write",
      summary: "Switch the bot on or off, change its rates or its operators' chat",
      body: botChanges.extend({ reason: reason.optional() }),
      answer: botSchema,
    },
    ({ workspaceId, body, by }) => changeBot(deps, workspaceId, body, by),
  );
  routes.post(
    "/subscribe",
    {
      scope: "admin",
      summary: "Tell MAX to send the bot's updates here, and keep it so",
      body: z.strictObject({
        new_secret: z.boolean().default(false).describe("Generate a new secret; the old one stops working"),
      }),
      answer: botSchema,
    },
    async ({ workspaceId, body, by }) => {
      await readBot(sql, workspaceId);
      if (body.new_secret) await renewSecret(deps, workspaceId, by);
      const kept = await keepSubscribed(workspaceId, deps.publicUrl(), deps, { force: true });
      if (kept.kind === "failed") throw botProblem("bot_provider_refused", { detail: kept.reason });
      return changeBot(deps, workspaceId, { keep_subscribed: true }, by);
    },
  );
  routes.get(
    "/stats",
    {
      scope: "read",
      summary: "Statistics: questions, answers, rules, times",
      query: sinceDays,
      answer: statsSchema,
    },
    ({ workspaceId, query }) => botStats(sql, workspaceId, daysAgo(query.days)),
  );
  routes.list(
    "/unanswered",
    {
      scope: "people",
      summary: "Questions without a matching rule, grouped by similarity; each reading is recorded",
      query: sinceDays,
      item: questionGroup,
    },
    async ({ workspaceId, query, page, request }) => {
      const groups = pageOfAll(await unanswered(sql, workspaceId, daysAgo(query.days)), page);
      const meta = { object: "unanswered_questions", count: groups.items.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return groups;
    },
  );
  routes.get(
    "/monitor",
    {
      scope: "read",
      summary: "The bot monitor: errors and unanswered questions of the last minutes",
      answer: z.object({
        window_minutes: z.int(),
        thresholds: monitorRules.omit({ window_minutes: true }),
        snapshot: snapshotSchema,
        reasons: z.array(z.string()).describe("Reasons for an alert now"),
        alert_fingerprint: z.string().nullable().describe("Null without reasons"),
        cooldown_until: z.date().nullable().describe("No further alert for these reasons until then"),
      }),
    },
    async ({ workspaceId }) => {
      const look = await lookAtBot(sql, workspaceId, clock.now());
      if (!look) throw botProblem("bot_missing");
      const { window_minutes, ...thresholds } = look.rules;
      const reasons = [...look.reasons];
      const alert = await alertFor(sql, workspaceId, reasons, clock.now());
      return { window_minutes, thresholds, snapshot: look.snapshot, reasons, ...alert };
    },
  );
  routes.post(
    "/monitor/told",
    {
      scope: "operate",
      summary: "Record that people were alerted for these reasons, which starts their cooldown",
      body: z.strictObject({ reasons: z.array(z.string().min(1).max(64)).min(1).max(20) }),
      answer: z.object({ alert_fingerprint: z.string(), cooldown_until: z.date() }),
    },
    ({ workspaceId, body }) => noteTold(sql, workspaceId, body.reasons, clock.now()),
  );
}
