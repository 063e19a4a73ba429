import { isIP } from "node:net";
import { z } from "zod";
import { refuse } from "../errors.ts";
import { type Subscription, updateTypes } from "../model.ts";
import { read } from "../read.ts";
import type { Max } from "../twin.ts";
import type { ApiCall, Reply } from "./routes.ts";

/** `GET /subscriptions` */
export function listSubscriptions(_max: Max, { bot }: ApiCall): Reply {
  const subscriptions = bot.subscriptions.map(({ url, time, update_types }) => ({
    url,
    time,
    update_types: update_types ?? null,
  }));
  return { body: { subscriptions } };
}

/** `POST /subscriptions`: the same address again replaces the earlier subscription. */
export function subscribe({ context, store, updates }: Max, { bot, body }: ApiCall): Reply {
  const { url, secret, update_types } = read(subscription, body);
  if (!context.options.insecureWebhooks) demandPublicHttps(url);
  const added: Subscription = {
    url,
    time: context.clock.now(),
    ...(secret && { secret }),
    ...(update_types && update_types.length > 0 && { update_types }),
  };
  bot.subscriptions = [...bot.subscriptions.filter((each) => each.url !== url), added];
  store.changed();
  updates.wake(bot);
  return { body: { success: true } };
}

/** `DELETE /subscriptions` */
export function unsubscribe({ store, webhooks }: Max, { bot, query }: ApiCall): Reply {
  const { url } = read(z.object({ url: z.string().min(1) }), query);
  if (!bot.subscriptions.some((each) => each.url === url)) {
    return { body: { success: false, message: "There is no such subscription" } };
  }
  bot.subscriptions = bot.subscriptions.filter((each) => each.url !== url);
  webhooks.forget(bot, url);
  store.changed();
  return { body: { success: true } };
}

const subscription = z.object({
  url: z.url({ protocol: /^https?$/ }),
  update_types: z.array(z.enum(updateTypes)).nullish(),
  secret: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{5,256}$/)
    .nullish(),
});

/** Public authorities issue certificates for names only, so an IP address or a local name cannot have one. */
function demandPublicHttps(text: string): void {
  const url = new URL(text);
  if (url.protocol !== "https:") throw refuse.payload("url: must start with https://");
  if (url.port !== "") throw refuse.payload("url: only port 443 is allowed");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) || host === "localhost" || host.endsWith(".localhost") || !host.includes(".")) {
    throw refuse.payload("url: a public host name is required");
  }
}
