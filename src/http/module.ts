import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { KeyValue } from "../kernel/kv/index.ts";
import { httpMetrics } from "./observe.ts";
import { forgetExpired } from "./operators/forget-expired.ts";

/** Operators' sessions, links and tokens. The composition root creates the server itself. */
export const http = {
  name: "http",
  metrics: Object.values(httpMetrics),
  wire: ({ sql, clock, keyValue }: { sql: Sql; clock: Clock; keyValue: KeyValue }) => ({
    cron: [
      every("41 * * * *", "kernel.forget_expired", async () => {
        await forgetExpired(sql, { clock });
        await keyValue.purgeExpired();
      }),
    ],
  }),
};
