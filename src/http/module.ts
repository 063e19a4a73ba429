import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { every } from "../kernel/jobs/index.ts";
import type { KeyValue } from "../kernel/kv/index.ts";
import { forgetExpired } from "./operators/forget-expired.ts";

/** Operators' sessions, links and tokens; the server itself is the composition root's. */
export const http = {
  name: "http",
  wire: ({ sql, clock, keyValue }: { sql: Sql; clock: Clock; keyValue: KeyValue }) => ({
    cron: [
      every("41 * * * *", "kernel.forget_expired", async () => {
        await forgetExpired(sql, { clock });
        await keyValue.purgeExpired();
      }),
    ],
  }),
};
