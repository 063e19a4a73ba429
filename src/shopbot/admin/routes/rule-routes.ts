import { z } from "zod";
import { type App, problem } from "../../../http/index.ts";
import {
  byOf,
  countUpTo,
  inWorkspace,
  noteReadingBy,
  reason,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { chosenName } from "../../model/fields.ts";
import { checkFile, checkSchema, replayFile } from "../../rules/check.ts";
import { ruleEntry } from "../../rules/file-shape.ts";
import { applyFile, currentFile, listReleases, releaseFile, rollBack } from "../../rules/releases.ts";
import { replaySchema } from "../../rules/replay.ts";
import { activateRule, listRules, removeRule, ruleVersions, saveRule } from "../../rules/rules.ts";
import { ruleRow } from "../../work/load-bot.ts";
import { readBot } from "../setup.ts";
import { trialAnswer, trialRequest, tryMessage } from "../try.ts";
import { botWarning } from "../warnings.ts";
import type { BotRoutesDeps } from "./deps.ts";

const tags = ["bot"];
const querystring = z.object(inWorkspace);
const file = z
  .string()
  .min(1)
  .max(1024 * 1024)
  .describe("The rule file, in YAML");
const force = z.boolean().default(false).describe("Also when an example dialogue does not go as written");
const why = reason.optional();
const ruleParams = z.object({ rule_id: chosenName });

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
  const { sql, clock } = deps;

  app.get(
    "/api/v1/bot/rules",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Rules in force, in the order in which they are looked at",
        querystring,
        response: { 200: z.object({ items: z.array(ruleRow) }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return { items: await listRules(sql, workspaceId) };
    },
  );

  app.get(
    "/api/v1/bot/rules/:rule_id",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Every version of a rule, the newest first",
        params: ruleParams,
        querystring,
        response: { 200: z.object({ versions: z.array(ruleRow) }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return { versions: await ruleVersions(sql, workspaceId, request.params.rule_id) };
    },
  );

  app.put(
    "/api/v1/bot/rules/:rule_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Save a rule as its next version and put it in force",
        params: ruleParams,
        querystring,
        body: z.strictObject({ rule: ruleEntry.omit({ id: true }), force, reason: why }),
        response: { 200: releaseSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { rule, force, reason: because } = request.body;
      const entry = { ...rule, id: request.params.rule_id };
      return saveRule(deps, workspaceId, entry, byOf(request, because), { force });
    },
  );

  app.delete(
    "/api/v1/bot/rules/:rule_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Take a rule out of force; its versions stay",
        params: ruleParams,
        querystring: querystring.extend({ reason: why }),
        response: { 200: releaseSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const by = byOf(request, request.query.reason);
      return removeRule(deps, workspaceId, request.params.rule_id, by, { force: true });
    },
  );

  app.post(
    "/api/v1/bot/rules/:rule_id/activate",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Put another version of a rule in force",
        params: ruleParams,
        querystring,
        body: z.strictObject({ version: z.int().min(1), force, reason: why }),
        response: { 200: releaseSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { version, force, reason: because } = request.body;
      const by = byOf(request, because);
      return activateRule(deps, workspaceId, request.params.rule_id, version, by, { force });
    },
  );

  app.get(
    "/api/v1/bot/file",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "The rule file in force, or that of an earlier release",
        querystring: querystring.extend({ release: countUpTo(9999).optional() }),
        response: { 200: z.object({ file: z.string() }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      await readBot(sql, workspaceId);
      const { release } = request.query;
      const text =
        release === undefined
          ? await currentFile(sql, workspaceId)
          : await releaseFile(sql, workspaceId, release);
      if (text === undefined) throw problem("not_found", { detail: "No rules are in force yet." });
      return { file: text };
    },
  );

  app.put(
    "/api/v1/bot/file",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Put a rule file in force, all of it at once",
        querystring,
        body: z.strictObject({ file, force, reason: why }),
        response: { 200: appliedSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { file, force, reason: because } = request.body;
      const applied = await applyFile(deps, workspaceId, file, byOf(request, because), { force });
      return { ...applied, warnings: [...applied.warnings] };
    },
  );

  app.post(
    "/api/v1/bot/file/check",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary:
          "Play a file's examples, look for rules that can never speak, and compare with what is in force",
        querystring,
        body: z.strictObject({ file }),
        response: { 200: checkSchema },
      },
    },
    async (request) => checkFile(request.body.file, await workspaceOf(sql, request, request.query), deps),
  );

  app.post(
    "/api/v1/bot/replay",
    {
      config: { scope: "people" },
      schema: {
        tags,
        summary: "What a file would change for real past messages; each reading is recorded",
        querystring,
        body: z.strictObject({ file, last: z.int().min(1).max(10_000).default(500) }),
        response: { 200: replaySchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      await readBot(sql, workspaceId);
      const report = await replayFile(request.body.file, workspaceId, request.body.last, sql);
      const meta = { object: "replayed_messages", count: report.changes.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return report;
    },
  );

  app.get(
    "/api/v1/bot/releases",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Every set of rules that was in force, the newest first",
        querystring,
        response: { 200: z.object({ items: z.array(releaseSchema) }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return { items: await listReleases(sql, workspaceId) };
    },
  );

  app.post(
    "/api/v1/bot/rollback",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Take an earlier release again; the one before the last unless named",
        querystring,
        body: z.strictObject({ release: z.int().min(1).optional(), reason: why }),
        response: { 200: releaseSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { release, reason: because } = request.body;
      return rollBack(deps, workspaceId, release, byOf(request, because));
    },
  );

  app.post(
    "/api/v1/bot/try",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "What the bot would answer to a message, without sending anything",
        querystring,
        body: trialRequest,
        response: { 200: trialAnswer },
      },
    },
    async (request) => tryMessage(deps, await workspaceOf(sql, request, request.query), request.body),
  );
}
