import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { KeyValue } from "../kernel/kv/index.ts";
import type { ObjectStorage } from "../kernel/storage/index.ts";
import type { App } from "./app.ts";
import { signInSettings } from "./environment.ts";
import { httpMetrics } from "./observe.ts";
import { forgetExpired } from "./operators/forget-expired.ts";
import { sealedSecondFactors } from "./operators/second-factor/sealed-second-factors.ts";
import { mediaRoute } from "./routes/media.ts";

interface Needs {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly keyValue: KeyValue;
  readonly storage: ObjectStorage;
}

/** Operators' sessions, links and tokens, and stored files for who has a signed address. The composition root creates the server itself. */
export const http = {
  name: "http",
  settings: signInSettings,
  sealed: sealedSecondFactors,
  metrics: Object.values(httpMetrics),
  wire: ({ sql, clock, keyValue, storage }: Needs) => ({
    routes: [{ name: "media", routes: (app: App) => mediaRoute(app, storage) }],
    cron: [
      every("41 * * * *", "kernel.forget_expired", async () => {
        await forgetExpired(sql, { clock });
        await keyValue.purgeExpired();
      }),
    ],
  }),
};
