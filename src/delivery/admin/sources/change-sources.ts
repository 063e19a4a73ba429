import { problem } from "../../../http/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  differences,
  forgetSecret,
  isEmpty,
  keepSecret,
  noteChange,
  type Rehearsal,
  type SecretDeps,
} from "../../../workspaces/index.ts";
import { readSourceConfig, type SourceKind, type SourceView, showSource } from "../../pull/index.ts";
import { inOneChange } from "../change.ts";
import { needsAdmin, requireAdmin } from "./authority.ts";
import type { NewSource, SourceChanges } from "./source-shape.ts";

/** Adds a source and its endpoint. Its first run starts at once and posts only the newest items. */
export async function addSource(
  deps: SecretDeps,
  workspaceId: string,
  { source_id, kind, config, every_seconds = 1800, ...secret }: NewSource,
  by: By,
): Promise<SourceView> {
  requireGoodConfig(kind, config);
  if (secret.secret_variable) requireAdmin(by, "Naming a variable of the server");
  const { sql, clock } = deps;
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await tx`
      select delivery.add_pull_source(${workspaceId}, ${source_id}, ${kind}, ${JSON.stringify(config)}::text::jsonb,
        ${every_seconds}, ${await keepSecret(tx, deps, workspaceId, secret, now)}, ${now})`;
    const meta = { object: "source", source_id, kind, created: true };
    await noteChange(tx, { workspaceId, now, by, meta });
    return existing(tx, workspaceId, source_id);
  });
}

/** Also enables and disables a source. With another address or query it is another list and starts like a new source. */
export async function changeSource(
  deps: SecretDeps,
  workspaceId: string,
  sourceId: string,
  { config, every_seconds, enabled, ...secret }: SourceChanges & { enabled?: boolean },
  by: By,
): Promise<SourceView> {
  const { sql, clock } = deps;
  const now = clock.now();
  if (secret.secret_variable) requireAdmin(by, "Naming a variable of the server");
  return inOneChange(sql, async (tx) => {
    const [row] = await tx<{ secret_ref: string | null }[]>`
      select secret_ref from delivery.pull_sources
      where workspace_id = ${workspaceId} and source_id = ${sourceId} for no key update`;
    const before = await existing(tx, workspaceId, sourceId);
    if (config) requireGoodConfig(before.kind, config);
    if (needsAdmin(before, config))
      requireAdmin(by, "Changing the address or the query of a source that has a secret");
    const secretRef = await keepSecret(tx, deps, workspaceId, secret, now);
    await tx`
      select delivery.change_pull_source(${workspaceId}, ${sourceId},
        ${config ? JSON.stringify(config) : null}::text::jsonb, ${every_seconds ?? null}, ${enabled ?? null}, ${secretRef},
        ${now})`;
    if (secretRef) await forgetSecret(tx, workspaceId, row?.secret_ref ?? null);
    const after = await existing(tx, workspaceId, sourceId);
    const changes = differences(settingsOf(before), settingsOf(after));
    const meta = {
      object: "source",
      source_id: sourceId,
      changes,
      ...(secretRef && { secret_changed: true }),
    };
    if (secretRef || !isEmpty(changes)) await noteChange(tx, { workspaceId, now, by, meta });
    return after;
  });
}

/** Removes the source with its cursor and its endpoint; what it posted stays. */
export async function removeSource(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  sourceId: string,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const work = async (tx: Transaction) => {
    const [row] = await tx<{ secret_ref: string | null }[]>`
      delete from delivery.pull_sources
      where workspace_id = ${workspaceId} and source_id = ${sourceId} returning secret_ref`;
    if (!row) throw notFound(sourceId);
    await forgetSecret(tx, workspaceId, row.secret_ref);
    const meta = { object: "source", source_id: sourceId, deleted: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  };
  await inOneChange(sql, work, rehearsal);
}

export function notFound(sourceId: string) {
  return problem("not_found", { detail: `There is no source ${sourceId}.` });
}

export function requireGoodConfig(kind: SourceKind, config: unknown): void {
  const read = readSourceConfig(kind, config);
  if (read.ok) return;
  const errors = read.errors.map(({ pointer, detail }) => ({ pointer: `/config${pointer}`, detail }));
  const [first] = errors;
  throw problem("unprocessable", {
    detail: `The configuration of the source is wrong: ${first?.pointer}: ${first?.detail}.`,
    errors,
  });
}

/** The settings of a source, without the state of its runs. */
function settingsOf({ config, enabled, every_seconds }: SourceView) {
  return { config, enabled, every_seconds };
}

async function existing(tx: Transaction, workspaceId: string, sourceId: string): Promise<SourceView> {
  const source = await showSource(tx, { workspaceId, sourceId });
  if (!source) throw notFound(sourceId);
  return source;
}
