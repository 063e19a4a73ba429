import { isIP } from "node:net";
import { parsedUrl } from "../../shared/parsed-url.ts";
import { badRequest, conflict } from "../api-error.ts";
import type { Method } from "../call.ts";
import { flag, integer, json, type Params, text } from "../params.ts";
import { updateFor } from "../updates.ts";
import { seconds } from "../wire.ts";

const defaultConnections = 40;
const mostConnections = 100;
const longestSecret = 256;
const webhookPorts = ["", "443", "80", "88", "8443"];
const longestPollSeconds = 50;
const mostUpdates = 100;

export const getUpdates: Method = async ({ bot, params, left }, { updates, store }) => {
  if (bot.webhook) {
    throw conflict(
      "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  takeAllowed(bot, params);
  store.changed();
  const found = await updates.poll(bot, {
    offset: integer(params, "offset") ?? 0,
    limit: within(integer(params, "limit"), 1, mostUpdates, mostUpdates),
    timeoutMs: within(integer(params, "timeout"), 0, longestPollSeconds, 0) * 1_000,
    left,
  });
  return found.map(updateFor);
};

export const setWebhook: Method = (call, deps) => {
  const { bot, params } = call;
  const url = text(params, "url").trim();
  if (url === "") return deleteWebhook(call, deps);
  const secret = text(params, "secret_token");
  if (secret.length > longestSecret) throw badRequest("secret token is too long");
  if (!/^[A-Za-z0-9_-]*$/.test(secret)) throw badRequest("secret token contains unallowed characters");
  checkAddress(url, deps.context.options.insecureWebhooks);

  takeAllowed(bot, params);
  if (flag(params, "drop_pending_updates")) bot.updates = [];
  bot.webhook = {
    url,
    ...(secret !== "" && { secret }),
    maxConnections: within(integer(params, "max_connections"), 1, mostConnections, defaultConnections),
  };
  deps.store.changed();
  deps.webhooks.wake(bot);
  return true;
};

export const deleteWebhook: Method = ({ bot, params }, { store }) => {
  delete bot.webhook;
  if (flag(params, "drop_pending_updates")) bot.updates = [];
  store.changed();
  return true;
};

export const getWebhookInfo: Method = ({ bot }) => {
  const { webhook } = bot;
  return {
    url: webhook?.url ?? "",
    has_custom_certificate: false,
    pending_update_count: bot.updates.length,
    ...(webhook && { max_connections: webhook.maxConnections }),
    ...(bot.allowedUpdates && { allowed_updates: bot.allowedUpdates }),
    ...(webhook?.lastErrorAt !== undefined && {
      last_error_date: seconds(webhook.lastErrorAt),
      last_error_message: webhook.lastError,
    }),
  };
};

function checkAddress(address: string, insecure: boolean): void {
  if (!parsedUrl(address)) throw badRequest("bad webhook: invalid URL");
  const url = new URL(address);
  if (insecure && url.protocol === "http:") return;
  if (url.protocol !== "https:") throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  if (insecure) return;
  if (!webhookPorts.includes(url.port)) {
    throw badRequest("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isReserved(host)) throw badRequest(`bad webhook: IP address ${host} is reserved`);
}

function isReserved(host: string): boolean {
  if (host === "localhost") return true;
  if (isIP(host) === 6) return /^(::1?$|f[cd]|fe80:)/i.test(host);
  return isIP(host) === 4 && /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host);
}

/** An absent list keeps the earlier choice; an empty list returns to the default. */
function takeAllowed(bot: { allowedUpdates?: readonly string[] }, params: Params): void {
  const given = json(params, "allowed_updates");
  if (!Array.isArray(given)) return;
  const kinds = given.filter((kind) => typeof kind === "string");
  if (kinds.length > 0) bot.allowedUpdates = kinds;
  else delete bot.allowedUpdates;
}

function within(value: number | undefined, least: number, most: number, otherwise: number): number {
  return value === undefined ? otherwise : Math.min(most, Math.max(least, value));
}
