import { setTimeout as pause } from "node:timers/promises";
import { type Core, perCore } from "../../workspaces/index.ts";
import { createQStash, type QStash } from "./client.ts";
import { createQStashDriver, type QStashDriver, type TellOfRemoteFailure } from "./driver.ts";

/** Undefined unless the token and both signing keys are set: without keys its calls would be refused. */
export const qstashOf = perCore((core): QStash | undefined => {
  const { QSTASH_TOKEN: token, QSTASH_URL: root } = core.config;
  const hasKeys = signingKeysOf(core).every((key) => key !== undefined);
  if (token === undefined || !hasKeys) return undefined;
  return createQStash({ http: core.http, root, token, pause: async (ms) => void (await pause(ms)) });
});

/** Undefined if QStash is not set up. */
export function qstashDriverOf(core: Core, tell: TellOfRemoteFailure): QStashDriver | undefined {
  const qstash = qstashOf(core);
  const { sql, clock, publicUrl } = core;
  return qstash && createQStashDriver({ sql, clock, qstash, publicUrl, tell });
}

export const signingKeysOf = ({ config }: Core) => [
  config.QSTASH_CURRENT_SIGNING_KEY,
  config.QSTASH_NEXT_SIGNING_KEY,
];
