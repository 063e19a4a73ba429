import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { App } from "../../http/index.ts";
import { cached } from "../../kernel/cached/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { AdvisorDeps } from "../deps.ts";

const withinMs = 3_000;
const keptMs = 1_000;

/** For monitoring: always 200, so that a database that is away is told from a service that is. */
export function healthRoute(app: App, { sql, clock, settings }: AdvisorDeps): void {
  // Anybody may ask, so asking often must not cost the database anything.
  const fault = cached(() => databaseFault(sql), { forMs: keptMs, clock });

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
      const found = await fault();
      const about = { ok: true as const, version: settings.version };
      return found ? { ...about, db: "fail" as const, db_error: found } : { ...about, db: "ok" as const };
    },
  );
}

/** The system's word for it, which names no address and no password. */
async function databaseFault(sql: Sql): Promise<string | undefined> {
  const answered = new AbortController();
  const late = delay(withinMs, undefined, { signal: answered.signal }).then(() => "timeout");
  try {
    return await Promise.race([sql`select 1`.then(() => undefined), late]);
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "unreachable";
  } finally {
    answered.abort();
    late.catch(() => {});
  }
}
