/** Keys and values in Redis, for installations whose counters outgrow the database. */
import { Redis } from "ioredis";
import type { Log } from "../log/index.ts";
import { checkKey, checkStep, checkTtl, checkValue, type KeyValue, NotACounterError } from "./key-value.ts";

export interface RedisSettings {
  readonly url: string;
  /** Prefix of every key, so that a server can be shared. */
  readonly prefix?: string;
  readonly log: Log;
  readonly commandTimeoutMs?: number;
}

/** A server that accepts the connection and does not answer must not block a request. */
const usualCommandTimeoutMs = 5_000;

/** Atomic on the server: a connection lost between INCRBY and PEXPIRE would leave a counter that never expires. */
const incrementScript = `
local isNew = redis.call("EXISTS", KEYS[1]) == 0
local sum = redis.call("INCRBY", KEYS[1], ARGV[1])
if isNew and ARGV[2] ~= "" then redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
return sum`;

/** Atomic on the server, so that nobody's write between reading and writing is lost. */
const replaceScript = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "KEEPTTL")
return 1`;

export function createRedisKeyValue({
  url,
  prefix = "molva:",
  log,
  commandTimeoutMs = usualCommandTimeoutMs,
}: RedisSettings): KeyValue {
  const redis = new Redis(url, {
    keyPrefix: prefix,
    connectTimeout: 5_000,
    commandTimeout: commandTimeoutMs,
    maxRetriesPerRequest: 3,
  });
  redis.on("error", (error) => log.warn({ reason: error.message }, "redis connection failed"));

  return {
    async get(key) {
      checkKey(key);
      return (await redis.get(key)) ?? undefined;
    },

    async set(key, value, { ttlMs } = {}) {
      checkKey(key);
      checkValue(value);
      checkTtl(ttlMs);
      if (ttlMs === undefined) await redis.set(key, value);
      else await redis.set(key, value, "PX", ttlMs);
    },

    async setIfAbsent(key, value, { ttlMs } = {}) {
      checkKey(key);
      checkValue(value);
      checkTtl(ttlMs);
      const answer =
        ttlMs === undefined
          ? await redis.set(key, value, "NX")
          : await redis.set(key, value, "PX", ttlMs, "NX");
      return answer === "OK";
    },

    async delete(key) {
      checkKey(key);
      return (await redis.del(key)) > 0;
    },

    async increment(key, by = 1, { ttlMs } = {}) {
      checkKey(key);
      checkStep(by);
      checkTtl(ttlMs);
      try {
        return Number(await redis.eval(incrementScript, 1, key, by, ttlMs ?? ""));
      } catch (error) {
        if (error instanceof Error && error.message.includes("not an integer")) {
          throw new NotACounterError(key, { cause: error });
        }
        throw error;
      }
    },

    async expire(key, ttlMs) {
      checkKey(key);
      checkTtl(ttlMs);
      return (await redis.pexpire(key, ttlMs)) === 1;
    },

    async *keysWith(begins) {
      checkKey(begins);
      // SCAN takes a pattern and knows nothing of the client's prefix.
      const match = `${literal(prefix + begins)}*`;
      let cursor = "0";
      do {
        const [next, found] = await redis.scan(cursor, "MATCH", match, "COUNT", 500);
        if (found.length > 0) yield found.map((key) => key.slice(prefix.length));
        cursor = next;
      } while (cursor !== "0");
    },

    async replace(key, from, to) {
      checkKey(key);
      checkValue(to);
      return (await redis.eval(replaceScript, 1, key, from, to)) === 1;
    },

    purgeExpired: async () => 0,

    async close() {
      // QUIT waits for answers under way; a server that is gone cannot give them.
      if (redis.status === "ready") await redis.quit().catch(() => redis.disconnect());
      else redis.disconnect();
    },
  };
}

function literal(text: string): string {
  return text.replaceAll(/[\\*?[\]^-]/g, "\\$&");
}
