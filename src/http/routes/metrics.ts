import type { FastifyRequest } from "fastify";
import type { Metrics } from "../../kernel/metrics/index.ts";
import type { App } from "../app.ts";
import { type AuthDeps, authenticate } from "../auth/authenticate.ts";
import type { Caller } from "../auth/caller.ts";
import { problem } from "../problems/index.ts";

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
      if (givesToken || !isLocal(request)) {
        request.caller = await authenticate(request, reply, "metrics", auth);
        refuseBound(request.caller);
      }
      return reply.type(metrics.contentType).send(await metrics.render());
    },
  );
}

/** The figures are those of every workspace. */
function refuseBound({ workspaceId }: Caller): void {
  if (workspaceId !== null)
    throw problem("other_workspace", {
      detail: "The figures are those of every workspace; the token is bound to one.",
    });
}

const loopback = /^(127\.|::1$|::ffff:127\.)/;
const forwarding = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/** A reverse proxy on the same machine also comes from loopback, but says for whom it asks. */
function isLocal(request: FastifyRequest): boolean {
  const direct = !forwarding.some((name) => name in request.headers);
  return direct && loopback.test(request.socket.remoteAddress ?? "");
}
