import type { Clock } from "../../kernel/clock/index.ts";
import { sha256Hex, type Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { MaxBot } from "../../platforms/index.ts";
import { botEndpointOf, renewSecret, secretName } from "../admin/bot-setup.ts";
import { wantedUpdates } from "../ingest/max-update.ts";

export const webhookPath = "/api/v1/bots/max/webhook";

export interface SubscriptionDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: HttpClient;
  readonly maxBot: MaxBot;
  readonly vault: Vault;
  readonly token: (workspaceId: string, secretRef: string) => Promise<string | undefined>;
}

export type Kept =
  | { readonly kind: "standing" }
  | { readonly kind: "renewed" }
  | { readonly kind: "failed"; readonly reason: string };

interface Subscriber {
  readonly workspace_id: string;
  readonly auth_ref: string;
  readonly webhook_url: string | null;
  readonly token_ref: string | null;
  readonly secret_ref: string | null;
}

/**
 * Makes sure that MAX sends the bot's updates here; MAX silently drops a webhook that failed for eight hours. `force` subscribes even
 * if a subscription exists, as after a new secret. If the stored secret does not open the bot's endpoint, a new one is generated.
 */
export async function keepSubscribed(
  workspaceId: string,
  publicUrl: string,
  deps: SubscriptionDeps,
  { force = false }: { force?: boolean } = {},
): Promise<Kept> {
  const { sql, clock } = deps;
  const mended = await mendSecret(workspaceId, deps);
  if (mended.kind === "failed") {
    await sql`
      update shopbot.bots set checked_at = ${clock.now()}, subscription_error = ${mended.reason}
      where workspace_id = ${workspaceId}`;
    return mended;
  }
  const [bot] = await sql<Subscriber[]>`
    select b.workspace_id, b.auth_ref, b.webhook_url,
      (select c.secret_ref from workspaces.credential_bindings c
       where c.workspace_id = b.workspace_id and c.auth_ref = b.auth_ref and c.platform = 'max') as token_ref,
      (select c.secret_ref from workspaces.credential_bindings c
       where c.workspace_id = b.workspace_id and c.auth_ref = b.auth_ref || ${secretName("")} and c.platform = 'max') as secret_ref
    from shopbot.bots b where b.workspace_id = ${workspaceId}`;
  if (!bot) return { kind: "failed", reason: "the workspace has no shop bot" };
  const url = `${publicUrl}${webhookPath}`;
  const kept = await ensure(bot, url, deps, force || mended.kind === "renewed");
  const now = clock.now();
  await sql`
    update shopbot.bots set checked_at = ${now},
      subscription_error = ${kept.kind === "failed" ? kept.reason : null},
      webhook_url = ${kept.kind === "failed" ? bot.webhook_url : url},
      subscribed_at = case when ${kept.kind === "renewed"} then ${now} else subscribed_at end
    where workspace_id = ${workspaceId}`;
  if (kept.kind === "renewed")
    await sql`
      insert into workspaces.events (workspace_id, id, ts, action, result, meta)
      values (${workspaceId}, molva.uuidv7(${now}), ${now}, 'bot_subscribed', 'ok', ${sql.json({ url })})`;
  return kept;
}

/** Makes sure that the stored secret opens the bot's endpoint. */
async function mendSecret(workspaceId: string, deps: SubscriptionDeps): Promise<Kept> {
  const endpoint = await botEndpointOf(deps.sql, workspaceId);
  if (!endpoint) return { kind: "failed", reason: "the workspace has no shop bot" };
  if (endpoint.open_id === null)
    return { kind: "failed", reason: "the bot's endpoint is disabled: molva endpoint enable opens it" };
  const [kept] = await deps.sql<{ secret_ref: string }[]>`
    select c.secret_ref from shopbot.bots b
    join workspaces.credential_bindings c
      on c.workspace_id = b.workspace_id and c.auth_ref = b.auth_ref || ${secretName("")} and c.platform = 'max'
    where b.workspace_id = ${workspaceId}`;
  const secret = kept && (await deps.token(workspaceId, kept.secret_ref));
  if (secret && sha256Hex(secret) === endpoint.secret_hash) {
    if (endpoint.open_id !== endpoint.endpoint_id)
      await deps.sql`update shopbot.bots set endpoint_id = ${endpoint.open_id} where workspace_id = ${workspaceId}`;
    return { kind: "standing" };
  }
  await renewSecret(deps, workspaceId, {
    operator: "molva",
    reason: "the endpoint's secret was changed without MAX",
  });
  return { kind: "renewed" };
}

async function ensure(bot: Subscriber, url: string, deps: SubscriptionDeps, force: boolean): Promise<Kept> {
  const token = bot.token_ref && (await deps.token(bot.workspace_id, bot.token_ref));
  const secret = bot.secret_ref && (await deps.token(bot.workspace_id, bot.secret_ref));
  if (!token) return { kind: "failed", reason: `${bot.auth_ref} leads to no token` };
  if (!secret) return { kind: "failed", reason: `${secretName(bot.auth_ref)} leads to no secret` };
  const context = { http: deps.http, token, clock: deps.clock };
  const standing = await deps.maxBot.subscriptions(context);
  if (standing.kind !== "ok") return { kind: "failed", reason: standing.error.message };
  const own = standing.result.find((each) => each.url === url);
  const complete = wantedUpdates.every((type) => own?.update_types?.includes(type) ?? true);
  if (own && complete && !force) return { kind: "standing" };
  const made = await deps.maxBot.subscribe({ url, secret, updateTypes: wantedUpdates }, context);
  if (made.kind !== "ok") return { kind: "failed", reason: made.error.message };
  // The old address would still get every update.
  if (
    bot.webhook_url &&
    bot.webhook_url !== url &&
    standing.result.some((each) => each.url === bot.webhook_url)
  )
    await deps.maxBot.unsubscribe(bot.webhook_url, context);
  return { kind: "renewed" };
}
