import { z } from "zod";
import { type App, problem } from "../../../http/index.ts";
import {
  byOf,
  countUpTo,
  inWorkspace,
  noteReadingBy,
  pageOfAll,
  reason,
  workspaceOf,
  workspaceRoutes,
} from "../../../workspaces/index.ts";
import { chosenName } from "../../model/fields.ts";
import { checkFile, checkSchema, replayFile } from "../../rules/check.ts";
import { ruleEntry } from "../../rules/file-shape.ts";
import { applyFile, currentFile, releaseFile, releasePage, rollBack } from "../../rules/releases.ts";
import { replaySchema } from "../../rules/replay.ts";
import { activateRule, listRules, removeRule, ruleVersions, saveRule } from "../../rules/rules.ts";
import { ruleRow } from "../../work/load-bot.ts";
import { readBot } from "../setup.ts";
import { trialAnswer, trialRequest, tryMessage } from "../try.ts";
import { botWarning } from "../warnings.ts";
import type { BotRoutesDeps } from "./deps.ts";

const under = "/api/v1/bot";
const tag = "bot";
const file = z
  .string()
  .min(1)
  .max(1024 * 1024)
  .describe("The rule file, in YAML");
const force = z.boolean().default(false).describe("Also when an example dialogue does not go as written");
const why = { reason: reason.optional() };
const params = z.object({ rule_id: chosenName });

const releaseSchema = z.object({
  release: z.int(),
  rules: z.record(z.string(), z.int()).describe("The version of each rule in force"),
  based_on: z.int().nullable().describe("The release that was taken again"),
  operator: z.string(),
  reason: z.string().nullable(),
  created_at: z.date(),
});
const appliedSchema = releaseSchema.extend({
  warnings: z.array(botWarning).describe("What the bot's owner should put right"),
});

/** Rules, their versions and their file. */
export function ruleRoutes(app: App, deps: BotRoutesDeps): void {
  oneRuleRoutes(app, deps);
  fileRoutes(app, deps);
}

function oneRuleRoutes(app: App, deps: BotRoutesDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under, tag });

  routes.list(
    "/rules",
    { scope: "read", summary: "Rules in force, in the order in which they are looked at", item: ruleRow },
    async ({ workspaceId, page }) => pageOfAll(await listRules(sql, workspaceId), page),
  );
  routes.list(
    "/rules/:rule_id",
    { scope: "read", summary: "Every version of a rule, the newest first", params, item: ruleRow },
    async ({ workspaceId, params: { rule_id }, page }) =>
      pageOfAll(await ruleVersions(sql, workspaceId, rule_id), page),
  );
  routes.put(
    "/rules/:rule_id",
    {
      scope: "write",
      summary: "Save a rule as its next version and put it in force",
      params,
      body: z.strictObject({ rule: ruleEntry.omit({ id: true }), force, ...why }),
      answer: releaseSchema,
    },
    ({ workspaceId, params: { rule_id: id }, body: { rule, force }, by }) =>
      saveRule(deps, workspaceId, { ...rule, id }, by, { force }),
  );
  app.delete(
    `${under}/rules/:rule_id`,
    {
      config: { scope: "write" },
      schema: {
        tags: [tag],
        summary: "Take a rule out of force; its versions stay",
        params,
        querystring: z.object({ ...inWorkspace, ...why }),
        response: { 200: releaseSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const by = byOf(request, request.query.reason);
      return removeRule(deps, workspaceId, request.params.rule_id, by, { force: true });
    },
  );
  routes.post(
    "/rules/:rule_id/activate",
    {
      scope: "write",
      summary: "Put another version of a rule in force",
      params,
      body: z.strictObject({ version: z.int().min(1), force, ...why }),
      answer: releaseSchema,
    },
    ({ workspaceId, params: { rule_id }, body: { version, force }, by }) =>
      activateRule(deps, workspaceId, rule_id, version, by, { force }),
  );
}

function fileRoutes(app: App, deps: BotRoutesDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, { under, tag });

  routes.get(
    "/file",
    {
      scope: "read",
      summary: "The rule file in force, or that of an earlier release",
      query: { release: countUpTo(9999).optional() },
      answer: z.object({ file: z.string() }),
    },
    async ({ workspaceId, query: { release } }) => {
      await readBot(sql, workspaceId);
      const text =
        release === undefined
          ? await currentFile(sql, workspaceId)
          : await releaseFile(sql, workspaceId, release);
      if (text === undefined) throw problem("not_found", { detail: "No rules are in force yet." });
      return { file: text };
    },
  );
  routes.put(
    "/file",
    {
      scope: "write",
      summary: "Put a rule file in force, all of it at once",
      body: z.strictObject({ file, force, ...why }),
      answer: appliedSchema,
    },
    async ({ workspaceId, body: { file, force }, by }) => {
      const applied = await applyFile(deps, workspaceId, file, by, { force });
      return { ...applied, warnings: [...applied.warnings] };
    },
  );
  routes.post(
    "/file/check",
    {
      scope: "read",
      summary:
        "Play a file's examples, look for rules that can never speak, and compare with what is in force",
      body: z.strictObject({ file }),
      answer: checkSchema,
    },
    ({ workspaceId, body }) => checkFile(body.file, workspaceId, deps),
  );
  routes.post(
    "/replay",
    {
      scope: "people",
      summary: "What a file would change for real past messages; each reading is recorded",
      body: z.strictObject({ file, last: z.int().min(1).max(10_000).default(500) }),
      answer: replaySchema,
    },
    async ({ workspaceId, body, request }) => {
      await readBot(sql, workspaceId);
      const report = await replayFile(body.file, workspaceId, body.last, sql);
      const meta = { object: "replayed_messages", count: report.changes.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return report;
    },
  );
  routes.list(
    "/releases",
    {
      scope: "read",
      summary: "Every set of rules that was in force, the newest first",
      item: releaseSchema,
    },
    ({ workspaceId, page }) => releasePage(sql, workspaceId, page),
  );
  routes.post(
    "/rollback",
    {
      scope: "write",
      summary: "Take an earlier release again; the one before the last unless named",
      body: z.strictObject({ release: z.int().min(1).optional(), ...why }),
      answer: releaseSchema,
    },
    ({ workspaceId, body: { release }, by }) => rollBack(deps, workspaceId, release, by),
  );
  routes.post(
    "/try",
    {
      scope: "read",
      summary: "What the bot would answer to a message, without sending anything",
      body: trialRequest,
      answer: trialAnswer,
    },
    ({ workspaceId, body }) => tryMessage(deps, workspaceId, body),
  );
}
