import { createMaxBot, maxApiRoot } from "../platforms/index.ts";
import { type Core, perCore } from "../workspaces/index.ts";
import { createReplyCompiler } from "./work/compile-reply.ts";

export const shopBotParts = perCore((core) => {
  const { sql, clock, log, http, vault, credentials, platforms, providerEnvironment, config } = core;
  return {
    ...{ sql, clock, log, http, vault, token: credentials.token },
    compile: createReplyCompiler(platforms),
    maxBot: createMaxBot({
      apiRoot: maxApiRoot(providerEnvironment),
      requestTimeoutMs: config.MOLVA_SEND_TIMEOUT_SECONDS * 1000,
    }),
  };
});

export type ShopBotParts = ReturnType<typeof shopBotParts>;

export function webhookUrlOf({ config, ownUrl }: Core): string {
  return config.MOLVA_PUBLIC_URL ?? ownUrl();
}
