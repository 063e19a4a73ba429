import type { Metrics } from "../../kernel/metrics/index.ts";
import type { App } from "../app.ts";
import { type AuthDeps, authenticate } from "../auth/authenticate.ts";
import { requireInstallation, requireScope } from "../auth/caller.ts";
import { isFromThisMachine } from "../this-machine.ts";

export function metricsRoute(app: App, { metrics, auth }: { metrics: Metrics; auth: AuthDeps }): void {
  app.get(
    "/metrics",
    {
      config: { quiet: true },
      schema: {
        tags: ["operations"],
        summary: "Figures for Prometheus; from elsewhere than this machine with the scope `metrics`",
      },
    },
    async (request, reply) => {
      const givesToken = request.headers.authorization !== undefined;
      if (givesToken || !isFromThisMachine(request)) {
        request.caller = await authenticate(request, reply, auth);
        requireScope(request.caller, "metrics");
        // They cover every workspace.
        requireInstallation(request);
      }
      return reply.type(metrics.contentType).send(await metrics.render());
    },
  );
}
