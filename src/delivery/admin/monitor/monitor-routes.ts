import { z } from "zod";
import { type App, type RouteModule, requireInstallation } from "../../../http/index.ts";
import {
  flag,
  inWorkspace,
  type SecretDeps,
  workspaceOf,
  workspaceRoutes,
} from "../../../workspaces/index.ts";
import { healthSnapshot } from "../../monitor/health.ts";
import { type MonitorDeps, runMonitor } from "../../monitor/run-monitor.ts";
import { alertRoutes } from "../alerts/alert-routes.ts";
import { readMonitorSettings, setMonitorSettings } from "./monitor-settings.ts";
import {
  healthSchema,
  monitorRunSchema,
  monitorSettingsChanges,
  monitorSettingsSchema,
} from "./monitor-shape.ts";

const tag = "monitor";

export type MonitorRoutesDeps = MonitorDeps & SecretDeps;

/** The monitor over HTTP: health, thresholds, alert targets. */
export function monitorRoutes(deps: MonitorRoutesDeps): RouteModule {
  return {
    name: "delivery.monitor",
    routes(app) {
      healthRoute(app, deps);
      roundRoutes(app, deps);
      alertRoutes(app, deps);
    },
  };
}

/** A caller who is not bound to a workspace may ask about all of them together. */
function healthRoute(app: App, { sql, clock }: MonitorRoutesDeps): void {
  app.get(
    "/api/v1/health",
    {
      config: { scope: "read", about: "workspace" },
      schema: {
        tags: [tag],
        summary: "How the deliveries of a workspace are right now, with the most frequent errors",
        querystring: z.object({
          ...inWorkspace,
          all: flag.optional().describe("true: every workspace together, for callers whose rights cover all"),
        }),
        response: { 200: healthSchema },
      },
    },
    async (request) => {
      const { all = false } = request.query;
      if (all) requireInstallation(request);
      const workspaceId = all ? undefined : await workspaceOf(sql, request, request.query);
      return healthSnapshot(sql, workspaceId, clock.now());
    },
  );
}

function roundRoutes(app: App, deps: MonitorRoutesDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/monitor", tag });

  routes.get(
    "/settings",
    {
      scope: "read",
      summary: "When people are told: thresholds and the cooldown",
      answer: monitorSettingsSchema,
    },
    ({ workspaceId }) => readMonitorSettings(sql, workspaceId),
  );
  routes.patch(
    "/settings",
    {
      scope: "write",
      summary: "Change when people are told",
      body: monitorSettingsChanges,
      answer: monitorSettingsSchema,
    },
    ({ workspaceId, body, by }) => setMonitorSettings(deps, workspaceId, body, by),
  );
  routes.post(
    "/run",
    {
      scope: "operate",
      summary: "Make a round of the monitor at once, for one workspace",
      body: z.strictObject({
        skip_notifications: z.boolean().optional().describe("Look and recover, but tell nobody"),
      }),
      answer: monitorRunSchema,
    },
    async ({ workspaceId, body: { skip_notifications: skipNotifications } }) => {
      const { alerts, notification, ...run } = await runMonitor(deps, { workspaceId, skipNotifications });
      return {
        ...run,
        alerts: { ...alerts, reasons: [...alerts.reasons], findings: [...alerts.findings] },
        notification: { ...notification, letters: [...notification.letters] },
      };
    },
  );
}
