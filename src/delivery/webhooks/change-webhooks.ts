import { problem } from "../../http/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  differences,
  forgetSecret,
  inOneChange,
  isEmpty,
  noteChange,
  type Rehearsal,
  storeSecret,
} from "../../workspaces/index.ts";
import { newSigningSecret, overlap } from "../signatures/signing-secret.ts";
import { noWebhook, readWebhook } from "./read-webhooks.ts";
import type {
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookRotation,
  WebhookWithSecret,
} from "./webhook-shape.ts";

export interface WebhookAdminDeps extends AdminDeps {
  readonly vault: Vault;
  /** Whether only https addresses are taken, as in production. */
  readonly httpsOnly: boolean;
}

export async function addWebhook(
  { sql, clock, vault, httpsOnly }: WebhookAdminDeps,
  workspaceId: string,
  { url, secret = newSigningSecret(), description, types, channel_ids, enabled = true }: NewWebhook,
  by: By,
): Promise<WebhookWithSecret> {
  if (httpsOnly) requireHttps(url);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const ref = await storeSecret(tx, vault, workspaceId, secret, now);
    const [made] = await tx<[{ webhook_id: string }]>`
      insert into delivery.webhooks (
        workspace_id, webhook_id, url, description, types, channel_ids, enabled, secret_ref, created_at, updated_at)
      values (${workspaceId}, molva.uuidv7(${now}), ${url}, ${description ?? null}, ${types ?? null}, ${channel_ids ?? null},
        ${enabled}, ${ref}, ${now}, ${now})
      returning webhook_id`;
    const meta = { object: "webhook", webhook_id: made.webhook_id, created: true };
    await noteChange(tx, { workspaceId, now, by, meta });
    return { ...(await readWebhook(tx, workspaceId, made.webhook_id)), secret };
  });
}

/** Changes a webhook. One that is disabled is told nothing, and what waits for it fails; it can be replayed later. */
export async function changeWebhook(
  { sql, clock, httpsOnly }: WebhookAdminDeps,
  workspaceId: string,
  webhookId: string,
  changes: WebhookChanges,
  by: By,
): Promise<Webhook> {
  if (httpsOnly && changes.url !== undefined) requireHttps(changes.url);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await lockWebhook(tx, workspaceId, webhookId);
    const before = await readWebhook(tx, workspaceId, webhookId);
    await setFields(tx, workspaceId, webhookId, changes, now);
    if (before.enabled && changes.enabled === false)
      await tx`select delivery.end_waiting_webhook_messages(${workspaceId}, ${webhookId}, ${now})`;
    const after = await readWebhook(tx, workspaceId, webhookId);
    // Of an address only the host is told: the rest often is a key.
    const changed = {
      ...differences(countless(before), countless(after)),
      ...(changes.url !== undefined && { url: { from: before.url, to: after.url } }),
    };
    const meta = { object: "webhook", webhook_id: webhookId, changes: changed };
    if (!isEmpty(changed)) await noteChange(tx, { workspaceId, now, by, meta });
    return after;
  });
}

/** Gives a webhook another secret; messages are signed with both until the overlap ends. */
export async function rotateWebhook(
  { sql, clock, vault }: WebhookAdminDeps,
  workspaceId: string,
  webhookId: string,
  { secret = newSigningSecret(), overlap_seconds = overlap.usualSeconds }: WebhookRotation,
  by: By,
): Promise<WebhookWithSecret> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const old = await lockWebhook(tx, workspaceId, webhookId);
    const ref = await storeSecret(tx, vault, workspaceId, secret, now);
    const ends = overlap_seconds > 0 ? new Date(now.getTime() + overlap_seconds * 1000) : null;
    await tx`
      update delivery.webhooks
      set secret_ref = ${ref}, previous_secret_ref = ${ends && old.secret_ref}, previous_ends_at = ${ends}, updated_at = ${now}
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId}`;
    await forgetSecret(tx, workspaceId, old.previous_secret_ref);
    if (!ends) await forgetSecret(tx, workspaceId, old.secret_ref);
    const meta = { object: "webhook", webhook_id: webhookId, secret_changed: true };
    await noteChange(tx, { workspaceId, now, by, meta });
    return { ...(await readWebhook(tx, workspaceId, webhookId)), secret };
  });
}

/** Removes a webhook with its secret and its log. */
export async function removeWebhook(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  webhookId: string,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const work = async (tx: Transaction) => {
    const { secret_ref, previous_secret_ref } = await lockWebhook(tx, workspaceId, webhookId);
    await tx`delete from delivery.webhooks where workspace_id = ${workspaceId} and webhook_id = ${webhookId}`;
    for (const ref of [secret_ref, previous_secret_ref]) await forgetSecret(tx, workspaceId, ref);
    const meta = { object: "webhook", webhook_id: webhookId, deleted: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  };
  await inOneChange(sql, work, rehearsal);
}

async function setFields(
  tx: Transaction,
  workspaceId: string,
  webhookId: string,
  changes: WebhookChanges,
  now: Date,
): Promise<void> {
  await tx`
    update delivery.webhooks w
    set (url, description, types, channel_ids, enabled) = (
          select r.url, r.description, r.types, r.channel_ids, r.enabled
          from jsonb_populate_record(w, ${JSON.stringify(changes)}::text::jsonb) r),
        -- Whoever enables it has mended it: the five days begin anew.
        disabled_reason = case when ${changes.enabled ?? false} then null else w.disabled_reason end,
        failing_since = case when ${changes.enabled ?? false} then null else w.failing_since end,
        updated_at = ${now}
    where w.workspace_id = ${workspaceId} and w.webhook_id = ${webhookId}`;
}

interface StoredSecrets {
  readonly secret_ref: string;
  readonly previous_secret_ref: string | null;
}

async function lockWebhook(tx: Transaction, workspaceId: string, webhookId: string): Promise<StoredSecrets> {
  const [row] = await tx<StoredSecrets[]>`
    select secret_ref, previous_secret_ref from delivery.webhooks
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId} for update`;
  if (!row) throw noWebhook(webhookId);
  return row;
}

/** Without what changes by itself. */
function countless({ waiting: _waiting, failed: _failed, url: _url, ...webhook }: Webhook) {
  return webhook;
}

function requireHttps(url: string): void {
  if (!url.startsWith("https:"))
    throw problem("unprocessable", {
      detail: "In production webhooks go to https addresses only.",
      errors: [{ pointer: "/url", detail: "https is needed" }],
    });
}
