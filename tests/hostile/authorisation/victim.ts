import { aSubscriptionSale } from "../../../src/billing/testing/builders.ts";
import { aDelivery, allowAnyBirth } from "../../../src/delivery/deliveries/testing/a-delivery.ts";
import { aChannel, anEndpoint, aWorkspace } from "../../../src/delivery/testing/builders.ts";
import { addMember, addOperator, createApiToken, ensureAdmin, invite } from "../../../src/http/index.ts";
import { systemClock } from "../../../src/kernel/clock/index.ts";
import type { Vault } from "../../../src/kernel/crypto/index.ts";
import type { Sql } from "../../../src/kernel/db/index.ts";
import { createPlatforms } from "../../../src/platforms/index.ts";
import { applyFile, createReplyCompiler, setUpBot } from "../../../src/shopbot/index.ts";
import { ruleFile, victimsChannel } from "./operations.ts";
import { aVictimOfAccounts } from "./victims-accounts.ts";
import { aVictimOfSeo } from "./victims-seo.ts";

/** Contained in every text of the victim's workspace; it must appear in no answer to anybody else. */
export const mark = "victims-own-words";

/** Whoever calls is known by this name, here and in other workspaces. */
export const callersName = "matrix";

/** A workspace with one of everything, by the names that paths have for them: `channels.channel_id`. */
export interface Victim {
  readonly workspaceId: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly endpointSecret: string;
  readonly botSecret: string;
}

export async function aVictim(sql: Sql, vault: Vault): Promise<Victim> {
  await allowAnyBirth(sql);
  const workspaceId = await aWorkspace(sql, { name: mark });
  const endpoint = await anEndpoint(sql, workspaceId);
  await sql`update delivery.workspace_endpoints set meta = ${sql.json({ name: mark })} where endpoint_id = ${endpoint.endpointId}`;
  const channelId = await aChannel(sql, workspaceId, { channel_id: victimsChannel, title: mark });
  const deliveryId = await aDelivery(sql, workspaceId, channelId, { rendered_text: mark });
  const [delivery] = await sql<[{ message_id: string }]>`
    update delivery.messages m set payload = ${sql.json({ text: mark })}
    from delivery.deliveries d where d.delivery_id = ${deliveryId} and m.message_id = d.message_id
    returning m.message_id`;
  await sql`
    insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps)
    values (${workspaceId}, 'telegram', 'bot', 1)`;
  await sql`
    select delivery.add_pull_source(${workspaceId}, 'feed', 'rss',
      ${sql.json({ url: `https://example.com/${mark}` })}, 1800, null, now())`;
  const [secret] = await sql<[{ id: string }]>`
    insert into workspaces.secrets (workspace_id, ciphertext) values (${workspaceId}, 'x') returning secret_id as id`;
  await sql`
    insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
    values (${workspaceId}, 'spare', 'telegram', ${`vault:${secret.id}`})`;
  const [payload] = await sql<[{ id: string }]>`
    insert into delivery.payloads (workspace_id, kind, storage_key, sha256, size_bytes, expires_at)
    values (${workspaceId}, 'provider_answer', 'x', ${"0".repeat(64)}, 1, now() + interval '1 day') returning payload_ref as id`;
  await sql`
    insert into delivery.templates (workspace_id, template_id, version, body, active)
    values (${workspaceId}, 'news', 1, ${`${mark} {{ text }}`}, true)`;
  const [target] = await sql<[{ id: string }]>`
    insert into delivery.alert_targets (workspace_id, kind, config)
    values (${workspaceId}, 'webhook', ${sql.json({ url: `https://example.invalid/${mark}` })}) returning target_id as id`;
  const [webhook] = await sql<[{ id: string }]>`
    insert into delivery.webhooks (workspace_id, url, description, secret_ref)
    values (${workspaceId}, ${`https://example.invalid/${mark}`}, ${mark}, ${`vault:${secret.id}`}) returning webhook_id as id`;
  const eventId = "0198c0de-0000-7000-8000-0000000000e1";
  await sql`
    insert into delivery.webhook_messages (workspace_id, webhook_id, event_id, type, payload, status, due_at, created_at, ended_at)
    values (${workspaceId}, ${webhook.id}, ${eventId}, 'webhook.test',
      delivery.webhook_payload('webhook.test', ${workspaceId}, ${eventId}, now(), null, null, null, 0,
        ${sql.json({ code: mark })}, '{}'), 'failed', now(), now(), now())`;
  const [draft] = await sql<[{ id: string }]>`
    insert into delivery.drafts (workspace_id, title, payload, author, created_at, updated_at)
    values (${workspaceId}, ${mark}, ${sql.json({ text: mark })}, 'command:uid:0@host', now(), now()) returning draft_id as id`;
  await aVictimOfModels(sql, workspaceId);
  await sql`select advisor.lock_user(${workspaceId}, 77, ${mark})`;
  await sql`select billing.open_account(${workspaceId}, 78)`;
  await sql`select billing.hold(${workspaceId}, 78, 10, ${mark}, 'text', 'audit', ${mark})`;
  const sale = await aSubscriptionSale(sql, workspaceId, { userId: 78 });
  await sql`select billing.record_payment(${workspaceId}, 'yookassa', ${mark}, ${sale}, 78, 6000, 'RUB')`;
  const [payment] = await sql<{ id: number; subscription: number }[]>`
    select id, subscription from billing.payments where workspace_id = ${workspaceId}`;
  const token = await createApiToken(sql, {
    name: mark,
    scopes: ["read"],
    workspaceId,
    createdBy: null,
    expiresAt: null,
    clock: systemClock,
  });
  const people = await victimsPeople(sql, workspaceId);
  return {
    workspaceId,
    endpointSecret: endpoint.secret,
    botSecret: await aBot(sql, vault, workspaceId),
    ids: {
      "workspaces.workspace_id": workspaceId,
      "endpoints.endpoint_id": endpoint.endpointId,
      "alert_targets.target_id": target.id,
      "ingest.address": endpoint.endpointId,
      "webhooks.webhook_id": webhook.id,
      "messages.event_id": eventId,
      "channels.channel_id": channelId,
      "deliveries.id": deliveryId,
      "messages.id": delivery.message_id,
      "drafts.id": draft.id,
      "media.id": eventId,
      "rate_groups.rate_group": "bot",
      "limits.platform": "telegram",
      "limits.rate_group": "bot",
      "credentials.platform": "telegram",
      "credentials.auth_ref": "spare",
      "templates.template_id": "news",
      "sources.source_id": "feed",
      "payloads.ref": payload.id,
      "payload-links.*": "a-link-that-nobody-made",
      "policies.key": "advice",
      "prompts.name": "advice",
      "budgets.scope": "user",
      "budgets.subject": "somebody",
      "budgets.period": "day",
      "budgets.unit": "calls",
      "tokens.id": token.id,
      ...people,
      "dialogues.chat_id": "77",
      "answers.message_id": "mid.1",
      "adapters.platform": "telegram",
      "rules.rule_id": "delivery",
      "users.telegram_user_id": "77",
      "users.user_id": "78",
      "payments.id": String(payment?.id),
      "subscriptions.id": String(payment?.subscription),
      "packages.code": "mini",
      "prices.operation": "audit",
      ...(await aVictimOfAccounts(sql, workspaceId, mark, callersName)),
      ...(await aVictimOfSeo(sql, workspaceId, mark, 78)),
    },
  };
}

/** An admin and a viewer of the workspace, a session and an invitation, all named by the mark. */
async function victimsPeople(sql: Sql, workspaceId: string): Promise<Record<string, string>> {
  const clock = systemClock;
  await ensureAdmin(sql, { clock });
  const ids: string[] = [];
  for (const role of ["admin", "viewer"] as const) {
    const made = await addOperator(sql, { login: `${role}-${mark}`, name: mark, clock });
    if (made.kind === "refused") throw new Error(made.reason);
    await addMember(sql, { workspaceId, operatorId: made.id, role, now: clock.now() });
    ids.push(made.id);
  }
  const [session] = await sql<[{ id: string }]>`
    insert into molva.sessions (operator_id, token_sha256, created_at, last_seen_at, expires_at, user_agent)
    values (${ids[0] ?? null}, ${mark}, now(), now(), now() + interval '1 day', ${mark}) returning id`;
  const invited = await invite(sql, {
    ...{ workspaceId, login: `invited-${mark}`, role: "viewer", invitedBy: null, clock },
  });
  return {
    "members.operator_id": ids[1] ?? "",
    "sessions.id": session.id,
    "invitations.invitation_id": invited.kind === "invited" ? invited.invitation.id : "",
  };
}

/** A shop bot with rules and a dialogue; answers the secret of its webhook. */
async function aBot(sql: Sql, vault: Vault, workspaceId: string): Promise<string> {
  const secret = "a-webhook-secret-of-the-victim";
  const nowhere = "http://127.0.0.1:9";
  const platforms = createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere });
  const deps = { sql, vault, clock: systemClock, compile: createReplyCompiler(platforms) };
  const by = { operator: "victim" };
  await setUpBot(deps, workspaceId, { title: mark, token: "a-token-of-the-victim", secret }, by);
  await applyFile(deps, workspaceId, ruleFile.replace(/title: .*/, `title: ${mark}`), by);
  await sql`
    insert into shopbot.bot_chats (workspace_id, chat_id, user_name) values (${workspaceId}, '77', ${mark})`;
  return secret;
}

/** One of each object of the language models. */
async function aVictimOfModels(sql: Sql, workspaceId: string): Promise<void> {
  await sql`
    insert into llm.llm_policies (workspace_id, key, provider, model, max_tokens, timeout_ms)
    values (${workspaceId}, 'advice', 'openrouter', ${mark}, 100, 1000)`;
  await sql`select llm.save_prompt(${workspaceId}, 'advice', ${mark}, 'operator', true)`;
  await sql`
    insert into llm.budgets (workspace_id, scope, subject, period, unit, cap)
    values (${workspaceId}, 'user', 'somebody', 'day', 'calls', 1)`;
  await sql`
    insert into llm.model_prices (workspace_id, provider, model, prompt_usd, completion_usd)
    values (${workspaceId}, 'openrouter', ${mark}, 1, 1)`;
  await sql`
    select llm.settle_calls(jsonb_build_array(llm.reserve_call(${workspaceId}, null, ${mark}, ${mark}, 'text', ${mark}, 1, 0, 1,
      '1 minute') || jsonb_build_object('workspace_id', ${workspaceId}::uuid, 'requests', '[]'::jsonb, 'at', now())))`;
}

/**
 * Returns a function that reads all rows of a workspace, from every table with a `workspace_id`. The counters of events are left
 * out: a run of the monitor, which any workspace may ask for, advances them for all.
 */
export async function watchState(
  sql: Sql,
  workspaceId: string,
): Promise<() => Promise<Record<string, string | null>>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where column_name = 'workspace_id' and table_type = 'BASE TABLE' and table_schema not like 'pg\\_%'
      and table_name not in ('event_rollups', 'event_minutes', 'event_totals')
    order by 1`;
  const query = tables.map(
    ({ name }) =>
      `select '${name}' as name, string_agg(t::text, E'\\n' order by t::text) as rows from ${name} t where workspace_id = $1`,
  );
  return async () => {
    const state = await sql.unsafe<{ name: string; rows: string | null }[]>(
      query.join(" union all "),
      [workspaceId],
      { prepare: true },
    );
    return Object.fromEntries(state.map(({ name, rows }) => [name, rows]));
  };
}
