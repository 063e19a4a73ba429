import { createHash, timingSafeEqual } from "node:crypto";
import type { RouteModule } from "../../http/index.ts";
import type { Health } from "./health.ts";

export interface HealthRouteDeps {
  readonly health: () => Promise<Health>;
  readonly version: string;
  /** Whoever has it sees the checks; undefined or blank opens nothing. */
  readonly token: string | undefined;
  readonly uptimeSeconds: () => number;
}

/** `GET /api/health`: 200 while it serves, even if a part is missing; 503 if it cannot. */
export function healthRoute({ health, version, token, uptimeSeconds }: HealthRouteDeps): RouteModule {
  return {
    name: "seo.health",
    routes(app) {
      app.get("/api/health", { config: { quiet: true }, schema: { hide: true } }, async (request, reply) => {
        const { status, checks } = await health();
        const isTrusted = isBearer(request.headers.authorization, token);
        return reply
          .code(status === "down" ? 503 : 200)
          .header("cache-control", "no-store")
          .send({
            status,
            version,
            ...(isTrusted && { uptime_seconds: Math.floor(uptimeSeconds()), checks }),
          });
      });
    },
  };
}

/** Compares digests, which are of one length: the time tells nothing. */
function isBearer(authorization: string | undefined, token: string | undefined): boolean {
  if (!token || authorization === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));
}
