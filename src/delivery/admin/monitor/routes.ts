import { z } from "zod";
import { type App, callerOf, problem, type RouteModule } from "../../../http/index.ts";
import { byOf, flag, inWorkspace, type SecretDeps, workspaceOf } from "../../../workspaces/index.ts";
import { healthSnapshot } from "../../monitor/health.ts";
import { type MonitorDeps, runMonitor } from "../../monitor/run-monitor.ts";
import { alertRoutes } from "../alerts/routes.ts";
import { readMonitorSettings, setMonitorSettings } from "./settings.ts";
import { healthSchema, monitorRunSchema, monitorSettingsChanges, monitorSettingsSchema } from "./shape.ts";

const tags = ["monitor"];
const querystring = z.object(inWorkspace);

export type MonitorRoutesDeps = MonitorDeps & SecretDeps;

/** The monitor over HTTP: how things are, when people are told, and who they are. */
export function monitorRoutes(deps: MonitorRoutesDeps): RouteModule {
  return {
    name: "delivery.monitor",
    routes(app) {
      healthRoute(app, deps);
      settingsRoutes(app, deps);
      runRoute(app, deps);
      alertRoutes(app, deps);
    },
  };
}

function healthRoute(app: App, { sql, clock }: MonitorRoutesDeps): void {
  app.get(
    "/api/v1/health",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "How the deliveries of a workspace are right now, with the most frequent errors",
        querystring: z.object({
          ...inWorkspace,
          all: flag.optional().describe("true: every workspace together, for callers bound to none"),
        }),
        response: { 200: healthSchema },
      },
    },
    async (request) => {
      const { all = false } = request.query;
      if (all && callerOf(request).workspaceId !== null) throw problem("other_workspace");
      const workspaceId = all ? undefined : await workspaceOf(sql, request, request.query);
      return healthSnapshot(sql, workspaceId, clock.now());
    },
  );
}

function settingsRoutes(app: App, deps: MonitorRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/monitor/settings",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "When people are told: thresholds and the cooldown",
        querystring,
        response: { 200: monitorSettingsSchema },
      },
    },
    async (request) => readMonitorSettings(sql, await workspaceOf(sql, request, request.query)),
  );

  app.patch(
    "/api/v1/monitor/settings",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Change when people are told",
        querystring,
        body: monitorSettingsChanges,
        response: { 200: monitorSettingsSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...changes } = request.body;
      return setMonitorSettings(deps, workspaceId, changes, byOf(request, why));
    },
  );
}

function runRoute(app: App, deps: MonitorRoutesDeps): void {
  app.post(
    "/api/v1/monitor/run",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Make a round of the monitor at once, for one workspace",
        querystring,
        body: z.strictObject({
          skip_notifications: z.boolean().optional().describe("Look and recover, but tell nobody"),
        }),
        response: { 200: monitorRunSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(deps.sql, request, request.query);
      const run = await runMonitor(deps, {
        workspaceId,
        skipNotifications: request.body.skip_notifications,
      });
      return {
        ...run,
        alerts: {
          ...run.alerts,
          reasons: [...run.alerts.reasons],
          findings: [...run.alerts.findings],
        },
        notification: { ...run.notification, letters: [...run.notification.letters] },
      };
    },
  );
}
