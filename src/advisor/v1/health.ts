import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { App } from "../../http/index.ts";
import { cached } from "../../kernel/cached/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { codeOf } from "../../kernel/errors/index.ts";
import type { AdvisorDeps } from "../deps.ts";

const withinMs = 3_000;
const keptMs = 1_000;

/** Always 200, so that a database failure differs from a service failure. */
export function healthRoute(app: App, { sql, clock, settings }: AdvisorDeps): void {
  // Public, so the result is cached.
  const readError = cached(() => databaseError(sql), { forMs: keptMs, clock });

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
      const found = await readError();
      const about = { ok: true as const, version: settings.version };
      return found ? { ...about, db: "fail" as const, db_error: found } : { ...about, db: "ok" as const };
    },
  );
}

/** The error code, which contains no address or password. */
async function databaseError(sql: Sql): Promise<string | undefined> {
  const answered = new AbortController();
  const late = delay(withinMs, undefined, { signal: answered.signal }).then(() => "timeout");
  try {
    return await Promise.race([sql`select 1`.then(() => undefined), late]);
  } catch (error) {
    return codeOf(error) ?? "unreachable";
  } finally {
    answered.abort();
    late.catch(() => {});
  }
}
