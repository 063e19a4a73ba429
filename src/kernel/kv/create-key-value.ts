import type { Sql } from "../db/index.ts";
import type { Log } from "../log/index.ts";
import type { KeyValue } from "./key-value.ts";
import { createPostgresKeyValue } from "./postgres-key-value.ts";
import { createRedisKeyValue } from "./redis-key-value.ts";

export interface KeyValueSettings {
  readonly sql: Sql;
  /** `REDIS_URL`; the database serves when it is absent. */
  readonly redisUrl?: string | undefined;
  readonly log: Log;
}

export function createKeyValue({ sql, redisUrl, log }: KeyValueSettings): KeyValue {
  return redisUrl ? createRedisKeyValue({ url: redisUrl, log }) : createPostgresKeyValue(sql);
}
