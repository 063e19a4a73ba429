import type { Sql } from "../db/index.ts";
import type { Log } from "../log/index.ts";
import type { KeyValue } from "./key-value.ts";
import { createPostgresKeyValue } from "./postgres-key-value.ts";

export interface KeyValueSettings {
  readonly sql: Sql;
  /** `REDIS_URL`; the database serves when it is absent. */
  readonly redisUrl?: string | undefined;
  readonly log: Log;
}

export async function createKeyValue({ sql, redisUrl, log }: KeyValueSettings): Promise<KeyValue> {
  if (!redisUrl) return createPostgresKeyValue(sql);
  const { createRedisKeyValue } = await import("./redis-key-value.ts");
  return createRedisKeyValue({ url: redisUrl, log });
}
