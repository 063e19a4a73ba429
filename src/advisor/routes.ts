import { z } from "zod";
import type { App, RouteModule } from "../http/index.ts";
import { adminRoutes } from "./admin/routes.ts";
import { askRoute } from "./ask/route.ts";
import type { AdvisorDeps } from "./deps.ts";
import { answerError } from "./door/answer-error.ts";
import { requireTls, requireToken } from "./door/guard.ts";
import { mediaInitRoute, uploadRoute } from "./media/routes.ts";
import { deletionRoute } from "./people/deletion.ts";
import { historyRoute } from "./people/history.ts";
import { peopleRoutes } from "./people/me.ts";
import { petRoutes } from "./pets/routes.ts";
import { pets } from "./subject/pets.ts";

/** What the advisor brings to the server: `/v1`, with errors of its own form, and what operators need. */
export function advisorRoutes(deps: AdvisorDeps): RouteModule {
  return {
    name: "advisor",
    async routes(app) {
      adminRoutes(app, deps);
      await app.register(async (scope: App) => serviceRoutes(scope, deps));
    },
  };
}

async function serviceRoutes(app: App, deps: AdvisorDeps): Promise<void> {
  app.setErrorHandler(answerError);
  app.addHook("onRequest", async (request) => requireTls(request, deps.settings));
  healthRoute(app, deps);
  await app.register(async (scope: App) => uploadRoute(scope, deps));
  await app.register(async (guarded: App) => {
    guarded.addHook("onRequest", async (request) => requireToken(request, deps.settings));
    askRoute(guarded, deps, pets);
    peopleRoutes(guarded, deps);
    historyRoute(guarded, deps);
    deletionRoute(guarded, deps);
    petRoutes(guarded, deps, pets);
    mediaInitRoute(guarded, deps);
  });
}

/** For monitoring: always 200, so that a database that is away is told from a service that is. */
function healthRoute(app: App, { sql, settings }: AdvisorDeps): void {
  app.get(
    "/v1/health",
    {
      config: { quiet: true },
      schema: {
        tags: ["advisor"],
        summary: "Whether the service is up; no token needed",
        security: [],
        response: {
          200: z.object({
            ok: z.literal(true),
            version: z.string(),
            db: z.enum(["ok", "fail"]),
            db_error: z.string().optional(),
          }),
        },
      },
    },
    async () => {
      const { version } = settings;
      try {
        await sql`select 1`;
        return { ok: true as const, version, db: "ok" as const };
      } catch (error) {
        return { ok: true as const, version, db: "fail" as const, db_error: faultOf(error) };
      }
    },
  );
}

/** The system's word for it, which names no address and no password. */
function faultOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unreachable";
}
