import { createMaxBot } from "../platforms/index.ts";
import { type Core, perCore } from "../workspaces/index.ts";
import { createReplyCompiler } from "./work/compile-reply.ts";

/** What the bot's setup, its talk and its subscription share. */
export const shopBotParts = perCore((core) => {
  const { sql, clock, log, http, vault, credentials, platforms, apiRoots, config } = core;
  return {
    ...{ sql, clock, log, http, vault, token: credentials.token },
    compile: createReplyCompiler(platforms),
    maxBot: createMaxBot({
      apiRoot: apiRoots.max,
      requestTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
    }),
  };
});

export type ShopBotParts = ReturnType<typeof shopBotParts>;

/** Where MAX brings the bot's updates. */
export function webhookUrlOf({ config, ownUrl }: Core): string {
  return config.MOLVA_PUBLIC_URL ?? ownUrl();
}
