import { z } from "zod";
import { type App, idText, wholeId } from "../../../http/index.ts";
import {
  byOf,
  deletion,
  inWorkspace,
  pageQuery,
  pageSchema,
  type SecretDeps,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { idColumns } from "../../id-columns.ts";
import type { NotifyDeps } from "../../monitor/notify.ts";
import { alertPage, alertTargetPage, readAlertTarget } from "./read.ts";
import { alertSchema, alertTargetChanges, alertTargetSchema, newAlertTarget, testResult } from "./shape.ts";
import { testAlertTarget } from "./try-target.ts";
import { addAlertTarget, changeAlertTarget, removeAlertTarget } from "./write.ts";

const tags = ["alerts"];
const params = z.object({ target_id: idText });
const querystring = z.object(inWorkspace);

/** Whom to tell and what was told. Secrets go in here and never come out. */
export function alertRoutes(app: App, deps: SecretDeps & NotifyDeps): void {
  const { sql } = deps;
  const targetIn = (workspaceId: string, { target_id }: z.infer<typeof params>) =>
    wholeId(sql, workspaceId, idColumns.alertTarget, target_id, "/target_id");

  app.get(
    "/api/v1/alerts",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Alerts of the last 30 days, newest first, and whom they reached",
        querystring: z.object({ ...inWorkspace, ...pageQuery }),
        response: { 200: pageSchema(alertSchema) },
      },
    },
    async (request) => alertPage(sql, await workspaceOf(sql, request, request.query), request.query),
  );

  app.get(
    "/api/v1/alert_targets",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Whom alerts go to, and how they are received there",
        querystring: z.object({ ...inWorkspace, ...pageQuery }),
        response: { 200: pageSchema(alertTargetSchema) },
      },
    },
    async (request) => alertTargetPage(sql, await workspaceOf(sql, request, request.query), request.query),
  );

  app.post(
    "/api/v1/alert_targets",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Add a Telegram chat, a webhook or e-mail addresses that alerts go to",
        querystring,
        body: newAlertTarget,
        response: { 201: alertTargetSchema },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const by = byOf(request, request.body.reason);
      return reply.code(201).send(await addAlertTarget(deps, workspaceId, request.body, by));
    },
  );

  app.get(
    "/api/v1/alert_targets/:target_id",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One target", params, querystring, response: { 200: alertTargetSchema } },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return readAlertTarget(sql, workspaceId, await targetIn(workspaceId, request.params));
    },
  );

  app.patch(
    "/api/v1/alert_targets/:target_id",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Change a target, its secret included",
        description: "Another origin of a webhook asks for the secret again.",
        params,
        querystring,
        body: alertTargetChanges,
        response: { 200: alertTargetSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...changes } = request.body;
      const targetId = await targetIn(workspaceId, request.params);
      return changeAlertTarget(deps, workspaceId, targetId, changes, byOf(request, why));
    },
  );

  app.delete(
    "/api/v1/alert_targets/:target_id",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Tell this target nothing any more, and forget its secret",
        params,
        querystring: z.object(deletion),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, dry_run: dryRun } = request.query;
      const by = byOf(request, why);
      const targetId = await targetIn(workspaceId, request.params);
      await removeAlertTarget(deps, workspaceId, targetId, by, { dryRun });
      return reply.code(204).send();
    },
  );

  app.post(
    "/api/v1/alert_targets/:target_id/test",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Send a test to a target, enabled or not, and say whether it arrived",
        params,
        querystring,
        body: z.strictObject({}),
        response: { 200: testResult },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return testAlertTarget(deps, workspaceId, await targetIn(workspaceId, request.params));
    },
  );
}
