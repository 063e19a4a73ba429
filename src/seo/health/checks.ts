import { randomUUID } from "node:crypto";
import type { KeyValue } from "../../kernel/kv/index.ts";
import { pingProvider, providersOf } from "../../llm/index.ts";
import type { Core } from "../../workspaces/index.ts";
import { qstashOf, signingKeysOf } from "../qstash/index.ts";
import { type Check, createHealth, type Health } from "./health.ts";

/** A check that takes longer than `withinMs` has failed. */
export function healthOf(
  core: Core,
  { withinMs }: { readonly withinMs?: number } = {},
): () => Promise<Health> {
  const { sql, keyValue, clock, log } = core;
  return createHealth({
    ...{ clock, log, ...(withinMs !== undefined && { withinMs }) },
    vital: {
      database: async () => {
        await sql`select 1`;
      },
      // Redis, or PostgreSQL in its place.
      redis: () => checkKeyValue(keyValue),
    },
    others: { openrouter: openrouterCheck(core), qstash: qstashCheck(core) },
  });
}

async function checkKeyValue(keyValue: KeyValue): Promise<void> {
  const value = randomUUID();
  const key = `health:${value}`;
  await keyValue.set(key, value, { ttlMs: 60_000 });
  const read = await keyValue.get(key);
  await keyValue.delete(key);
  if (read !== value) throw new Error("what was written could not be read");
}

function openrouterCheck(core: Core): Check | undefined {
  const { openrouter } = providersOf(core);
  if (!openrouter) return undefined;
  return async () => {
    const { ok, says } = await pingProvider(core.http, "openrouter", openrouter);
    if (!ok) throw new Error(says);
  };
}

/** Whether it answers, and signs with a key that is known here. */
function qstashCheck(core: Core): Check | undefined {
  const qstash = qstashOf(core);
  if (!qstash) return undefined;
  return async () => {
    const reply = await qstash.keys();
    if (reply.kind !== "ok") throw new Error(reply.reason);
    if (!signingKeysOf(core).includes(reply.value.current))
      throw new Error(
        "QStash signs with a key that is neither QSTASH_CURRENT_SIGNING_KEY nor QSTASH_NEXT_SIGNING_KEY",
      );
  };
}
