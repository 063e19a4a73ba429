import { z } from "zod";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { emailConfig } from "./targets/email.ts";
import { telegramConfig } from "./targets/telegram.ts";
import { webhookConfig } from "./targets/webhook.ts";

const common = { language: z.enum(["ru", "en"]).default("ru"), enabled: z.boolean().default(true) };

/** Somebody to tell. `secret` is the bot's token or the webhook's signing secret; it is stored encrypted. */
export const newAlertTarget = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("telegram"), config: telegramConfig, secret: z.string().min(1), ...common }),
  z.object({
    kind: z.literal("webhook"),
    config: webhookConfig,
    secret: z.string().min(1).optional(),
    ...common,
  }),
  z.object({ kind: z.literal("email"), config: emailConfig, ...common }),
]);
export type NewAlertTarget = z.input<typeof newAlertTarget>;

export interface AlertTarget {
  readonly target_id: string;
  readonly kind: "telegram" | "webhook" | "email";
  readonly config: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
  readonly language: "ru" | "en";
  readonly sent_count: number;
  readonly failed_count: number;
  /** Why the last letter did not arrive; null when it did. */
  readonly last_error: string | null;
}

export async function addAlertTarget(
  sql: Sql,
  vault: Vault,
  workspaceId: string,
  given: NewAlertTarget,
): Promise<string> {
  const target = newAlertTarget.parse(given);
  const secret = "secret" in target ? target.secret : undefined;
  const config = sql.json(JSON.parse(JSON.stringify(target.config)));
  return sql.begin(async (tx) => {
    const secretRef = secret === undefined ? null : await storeSecret(tx, vault.encrypt(secret), workspaceId);
    const [row] = await tx<[{ target_id: string }]>`
      insert into delivery.alert_targets (workspace_id, kind, config, secret_ref, enabled, language)
      values (${workspaceId}, ${target.kind}, ${config}, ${secretRef}, ${target.enabled}, ${target.language})
      returning target_id`;
    return row.target_id;
  });
}

export async function listAlertTargets(sql: Sql, workspaceId: string): Promise<AlertTarget[]> {
  return sql<AlertTarget[]>`
    select target_id, kind, config, enabled, language, sent_count, failed_count, last_error
    from delivery.alert_targets where workspace_id = ${workspaceId} order by target_id`;
}

/** False when there is none with this id in this workspace. */
export async function removeAlertTarget(sql: Sql, workspaceId: string, targetId: string): Promise<boolean> {
  return sql.begin(async (tx) => {
    const [removed] = await tx<{ secret_ref: string | null }[]>`
      delete from delivery.alert_targets where workspace_id = ${workspaceId} and target_id = ${targetId}
      returning secret_ref`;
    if (removed?.secret_ref?.startsWith("vault:"))
      await tx`
        delete from delivery.secrets
        where workspace_id = ${workspaceId} and secret_id::text = ${removed.secret_ref.slice("vault:".length)}
          and not exists (
            select from delivery.credential_bindings b
            where b.workspace_id = ${workspaceId} and b.secret_ref = ${removed.secret_ref})`;
    return removed !== undefined;
  });
}

async function storeSecret(tx: Transaction, ciphertext: string, workspaceId: string): Promise<string> {
  const [row] = await tx<[{ secret_id: string }]>`
    insert into delivery.secrets (workspace_id, ciphertext) values (${workspaceId}, ${ciphertext}) returning secret_id`;
  return `vault:${row.secret_id}`;
}
