import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { idOf, type SecretDeps, workspaceRoutes } from "../../../workspaces/index.ts";
import { idColumns } from "../../id-columns.ts";
import type { NotifyDeps } from "../../monitor/notify.ts";
import {
  alertSchema,
  alertTargetChanges,
  alertTargetSchema,
  newAlertTarget,
  testResult,
} from "./alert-shape.ts";
import { addAlertTarget, changeAlertTarget, removeAlertTarget } from "./change-alert-targets.ts";
import { alertPage, alertTargetPage, readAlertTarget } from "./read-alerts.ts";
import { testAlertTarget } from "./try-target.ts";

const params = z.object({ target_id: idOf(idColumns.alertTarget) });

/** Alert targets and alerts. Secrets can be written here and are never returned. */
export function alertRoutes(app: App, deps: SecretDeps & NotifyDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1", tag: "alerts" });

  routes.list(
    "/alerts",
    {
      scope: "read",
      summary: "Alerts of the last 30 days, newest first, and whom they reached",
      item: alertSchema,
    },
    ({ workspaceId, page }) => alertPage(sql, workspaceId, page),
  );
  routes.list(
    "/alert_targets",
    {
      scope: "read",
      summary: "Whom alerts go to, and how they are received there",
      item: alertTargetSchema,
    },
    ({ workspaceId, page }) => alertTargetPage(sql, workspaceId, page),
  );
  routes.post(
    "/alert_targets",
    {
      scope: "admin",
      summary: "Add a Telegram chat, a webhook or e-mail addresses that alerts go to",
      body: newAlertTarget,
      answer: alertTargetSchema,
      status: 201,
    },
    ({ workspaceId, body, by }) => addAlertTarget(deps, workspaceId, body, by),
  );
  routes.get(
    "/alert_targets/:target_id",
    { scope: "read", summary: "One target", params, answer: alertTargetSchema },
    ({ workspaceId, params: { target_id } }) => readAlertTarget(sql, workspaceId, target_id),
  );
  routes.patch(
    "/alert_targets/:target_id",
    {
      scope: "admin",
      summary: "Change a target, its secret included",
      description: "Another origin of a webhook asks for the secret again.",
      params,
      body: alertTargetChanges,
      answer: alertTargetSchema,
    },
    ({ workspaceId, params: { target_id }, body, by }) =>
      changeAlertTarget(deps, workspaceId, target_id, body, by),
  );
  routes.delete(
    "/alert_targets/:target_id",
    { scope: "admin", summary: "Tell this target nothing any more, and forget its secret", params },
    ({ workspaceId, params: { target_id }, by, dryRun }) =>
      removeAlertTarget(deps, workspaceId, target_id, by, { dryRun }),
  );
  routes.post(
    "/alert_targets/:target_id/test",
    {
      scope: "operate",
      summary: "Send a test to a target, enabled or not, and say whether it arrived",
      params,
      body: z.strictObject({}),
      answer: testResult,
    },
    ({ workspaceId, params: { target_id } }) => testAlertTarget(deps, workspaceId, target_id),
  );
}
