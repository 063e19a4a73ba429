/** Sources as their operators handle them: add, change, look at, remove. */
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type ConfigFault, readSourceConfig } from "./config.ts";
import type { SourceName } from "./pull-now.ts";
import type { Cursor, SourceKind } from "./source.ts";

export interface SourceView {
  readonly source_id: string;
  readonly kind: SourceKind;
  readonly config: unknown;
  readonly enabled: boolean;
  readonly every_seconds: number;
  readonly has_secret: boolean;
  readonly endpoint_id: string | null;
  readonly next_run_at: Date;
  readonly running: boolean;
  readonly last_run_at: Date | null;
  readonly last_success_at: Date | null;
  readonly failures: number;
  readonly last_error: { code: string; message: string; at: string } | null;
  readonly cursor: Cursor;
  readonly created_at: Date;
}

/** The Authorization header's value, or a database's address: in clear to be encrypted, or the name of a variable. */
export type SourceSecret = { readonly value: string } | { readonly variable: string };

export interface NewSource extends SourceName {
  readonly kind: SourceKind;
  readonly config: unknown;
  readonly everySeconds?: number | undefined;
  readonly secret?: SourceSecret | undefined;
}

export interface SourceChange {
  readonly config?: unknown;
  readonly everySeconds?: number | undefined;
  readonly enabled?: boolean | undefined;
  readonly secret?: SourceSecret | undefined;
}

export type SourceResult =
  | { readonly ok: true; readonly source: SourceView }
  | { readonly ok: false; readonly reason: "exists" | "unknown" }
  | { readonly ok: false; readonly reason: "invalid"; readonly faults: readonly ConfigFault[] };

/** Within the caller's transaction, as every change here: what else it writes happens together with it. */
export async function addSource(
  tx: Transaction,
  vault: Vault,
  now: Date,
  source: NewSource,
): Promise<SourceResult> {
  const faults = [...idFaults(source.sourceId), ...faultsOf(source.kind, source)];
  if (faults.length > 0) return { ok: false, reason: "invalid", faults };
  const { workspaceId, sourceId } = source;
  const found = await tx`
    select from delivery.pull_sources where workspace_id = ${workspaceId} and source_id = ${sourceId}`;
  if (found.length > 0) return { ok: false, reason: "exists" };
  await tx`
    select delivery.add_pull_source(
      ${workspaceId}, ${sourceId}, ${source.kind}, ${json(tx, source.config)}, ${source.everySeconds ?? 1800},
      ${await storeSecret(tx, vault, workspaceId, source.secret)}, ${now})`;
  return shown(tx, source);
}

export async function changeSource(
  tx: Transaction,
  vault: Vault,
  now: Date,
  name: SourceName,
  change: SourceChange,
): Promise<SourceResult> {
  const { workspaceId, sourceId } = name;
  const [before] = await tx<{ kind: SourceKind; secret_ref: string | null }[]>`
    select kind, secret_ref from delivery.pull_sources
    where workspace_id = ${workspaceId} and source_id = ${sourceId} for no key update`;
  if (!before) return { ok: false, reason: "unknown" };
  const faults = faultsOf(before.kind, change);
  if (faults.length > 0) return { ok: false, reason: "invalid", faults };
  const secretRef = await storeSecret(tx, vault, workspaceId, change.secret);
  await tx`
    select delivery.change_pull_source(
      ${workspaceId}, ${sourceId}, ${change.config === undefined ? null : json(tx, change.config)},
      ${change.everySeconds ?? null}, ${change.enabled ?? null}, ${secretRef}, ${now})`;
  if (secretRef !== null) await forgetSecret(tx, workspaceId, before.secret_ref);
  return shown(tx, name);
}

/** The source with its cursor, receipts and door; its posts and runs stay. False when there was none. */
export async function removeSource(tx: Transaction, { workspaceId, sourceId }: SourceName): Promise<boolean> {
  const [row] = await tx<{ secret_ref: string | null }[]>`
    delete from delivery.pull_sources
    where workspace_id = ${workspaceId} and source_id = ${sourceId} returning secret_ref`;
  if (row) await forgetSecret(tx, workspaceId, row.secret_ref);
  return row !== undefined;
}

export async function showSource(sql: Sql | Transaction, name: SourceName): Promise<SourceView | undefined> {
  const [source] = await views(sql, name.workspaceId, name.sourceId);
  return source;
}

export function listSources(sql: Sql, workspaceId: string): Promise<SourceView[]> {
  return views(sql, workspaceId, null);
}

async function views(
  sql: Sql | Transaction,
  workspaceId: string,
  sourceId: string | null,
): Promise<SourceView[]> {
  return [
    ...(await sql<SourceView[]>`
      select s.source_id, s.kind, s.config_json as config, s.enabled, s.every_seconds,
        s.secret_ref is not null as has_secret, delivery.endpoint_of_source(s.workspace_id, s.source_id) as endpoint_id,
        s.next_run_at, s.leased_by is not null as running, s.last_run_at, s.last_success_at, s.failures, s.last_error,
        coalesce(c.cursor_json, '{}') as cursor, s.created_at
      from delivery.pull_sources s left join delivery.pull_cursors c using (workspace_id, source_id)
      where s.workspace_id = ${workspaceId} and (${sourceId}::text is null or s.source_id = ${sourceId})
      order by s.source_id`),
  ];
}

async function shown(tx: Transaction, name: SourceName): Promise<SourceResult> {
  const source = await showSource(tx, name);
  return source ? { ok: true, source } : { ok: false, reason: "unknown" };
}

function idFaults(sourceId: string): ConfigFault[] {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(sourceId)) return [];
  const detail = "a name of up to 64 small Latin letters, digits, _ and - is needed";
  return [{ pointer: "/source_id", detail }];
}

function faultsOf(kind: SourceKind, { config, everySeconds, secret }: SourceChange): ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (config !== undefined) {
    const read = readSourceConfig(kind, config);
    if (!read.ok)
      faults.push(...read.faults.map(({ pointer, detail }) => ({ pointer: `/config${pointer}`, detail })));
  }
  if (
    everySeconds !== undefined &&
    !(Number.isInteger(everySeconds) && everySeconds >= 10 && everySeconds <= 604_800)
  )
    faults.push({ pointer: "/every_seconds", detail: "a whole number from 10 to 604800 (a week) is needed" });
  if (secret && "variable" in secret && !/^MOLVA_SOURCE_[A-Z0-9_]+$/.test(secret.variable))
    faults.push({
      pointer: "/secret",
      detail: "a source reads only variables whose names begin with MOLVA_SOURCE_",
    });
  if (secret && "value" in secret && !secret.value.trim())
    faults.push({ pointer: "/secret", detail: "the secret is empty" });
  return faults;
}

async function storeSecret(
  tx: Transaction,
  vault: Vault,
  workspaceId: string,
  secret: SourceSecret | undefined,
): Promise<string | null> {
  if (!secret) return null;
  if ("variable" in secret) return `env:${secret.variable}`;
  const [row] = await tx<[{ secret_id: string }]>`
    insert into delivery.secrets (workspace_id, ciphertext)
    values (${workspaceId}, ${vault.encrypt(secret.value.trim())}) returning secret_id`;
  return `vault:${row.secret_id}`;
}

async function forgetSecret(tx: Transaction, workspaceId: string, secretRef: string | null): Promise<void> {
  if (secretRef?.startsWith("vault:"))
    await tx`
      delete from delivery.secrets
      where workspace_id = ${workspaceId} and secret_id::text = ${secretRef.slice("vault:".length)}`;
}

function json(sql: Transaction, value: unknown) {
  return sql.json(JSON.parse(JSON.stringify(value)));
}
