import { z } from "zod";
import { type App, problem } from "../../../http/index.ts";
import { countUpTo, noteReadingBy, pageOfAll, reason, workspaceRoutes } from "../../../workspaces/index.ts";
import { chosenName } from "../../model/fields.ts";
import { checkFile, checkSchema, replayFile } from "../../rules/check-file.ts";
import {
  appliedSchema,
  applyFile,
  currentFile,
  releaseFile,
  releasePage,
  releaseSchema,
  rollBack,
} from "../../rules/releases.ts";
import { replaySchema } from "../../rules/replay-messages.ts";
import { ruleEntry } from "../../rules/rule-file-schema.ts";
import { activateRule, listRules, removeRule, ruleVersions, saveRule } from "../../rules/rules.ts";
import { ruleRow } from "../../work/load-bot.ts";
import { readBot } from "../bot-setup.ts";
import { trialAnswer, trialRequest, tryMessage } from "../try-message.ts";
import type { BotRoutesDeps } from "./deps.ts";

const under = "/api/v1/bot";
const tag = "bot";
const file = z
  .string()
  .min(1)
  .max(1024 * 1024)
  .describe("The rule file, in YAML");
const force = z.boolean().default(false).describe("Even if an example dialogue fails");
const why = { reason: reason.optional() };
const params = z.object({ rule_id: chosenName });

export function ruleRoutes(app: App, deps: BotRoutesDeps): void {
  oneRuleRoutes(app, deps);
  fileRoutes(app, deps);
}

function oneRuleRoutes(app: App, deps: BotRoutesDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under, tag });

  routes.list(
    "/rules",
    { scope: "read", summary: "Rules in force, in the order of matching", item: ruleRow },
    async ({ workspaceId, page }) => pageOfAll(await listRules(sql, workspaceId), page),
  );
  routes.list(
    "/rules/:rule_id",
    { scope: "read", summary: "Every version of a rule, newest first", params, item: ruleRow },
    async ({ workspaceId, params: { rule_id }, page }) =>
      pageOfAll(await ruleVersions(sql, workspaceId, rule_id), page),
  );
  routes.put(
    "/rules/:rule_id",
    {
      scope: "write",
      summary: "Save a rule as a new version and activate it",
      params,
      body: z.strictObject({ rule: ruleEntry.omit({ id: true }), force, ...why }),
      answer: releaseSchema,
    },
    ({ workspaceId, params: { rule_id: id }, body: { rule, force }, by }) =>
      saveRule(deps, workspaceId, { ...rule, id }, by, { force }),
  );
  routes.deleteAndTell(
    "/rules/:rule_id",
    {
      scope: "write",
      summary: "Deactivate a rule; its versions stay",
      params,
      query: why,
      answer: releaseSchema,
    },
    ({ workspaceId, params: { rule_id }, by }) => removeRule(deps, workspaceId, rule_id, by, { force: true }),
  );
  routes.post(
    "/rules/:rule_id/activate",
    {
      scope: "write",
      summary: "Activate another version of a rule",
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
      summary: "Apply a rule file as a whole",
      body: z.strictObject({ file, force, ...why }),
      answer: appliedSchema,
    },
    ({ workspaceId, body: { file, force }, by }) => applyFile(deps, workspaceId, file, by, { force }),
  );
  routes.post(
    "/file/check",
    {
      scope: "read",
      summary: "Run a file's examples, find unreachable rules, and compare with the rules in force",
      body: z.strictObject({ file }),
      answer: checkSchema,
    },
    ({ workspaceId, body }) => checkFile(body.file, workspaceId, deps),
  );
  routes.post(
    "/replay",
    {
      scope: "people",
      summary: "How a file would answer real past messages; each reading is recorded",
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
      summary: "Releases of the rules, newest first",
      item: releaseSchema,
    },
    ({ workspaceId, page }) => releasePage(sql, workspaceId, page),
  );
  routes.post(
    "/rollback",
    {
      scope: "write",
      summary: "Restore an earlier release; default: the one before the last",
      body: z.strictObject({ release: z.int().min(1).optional(), ...why }),
      answer: releaseSchema,
    },
    ({ workspaceId, body: { release }, by }) => rollBack(deps, workspaceId, release, by),
  );
  routes.post(
    "/try",
    {
      scope: "read",
      summary: "What the bot would answer to a message; nothing is sent",
      body: trialRequest,
      answer: trialAnswer,
    },
    ({ workspaceId, body }) => tryMessage(deps, workspaceId, body),
  );
}
