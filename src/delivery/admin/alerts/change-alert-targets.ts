import { errorsFromIssues, inOurWords, problem } from "../../../http/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  differences,
  forgetSecret,
  type GivenSecret,
  isEmpty,
  keepSecret,
  mergePatch,
  noteChange,
  type Rehearsal,
  type SecretDeps,
} from "../../../workspaces/index.ts";
import { type TargetKind, targetConfigs } from "../../monitor/targets/configs.ts";
import { inOneChange } from "../change.ts";
import {
  type AlertTarget,
  type AlertTargetChanges,
  type NewAlertTarget,
  noMailSecret,
} from "./alert-shape.ts";
import { noTarget, readAlertTarget } from "./read-alerts.ts";

export async function addAlertTarget(
  deps: SecretDeps,
  workspaceId: string,
  { kind, config, language = "ru", enabled = true, ...secret }: NewAlertTarget,
  by: By,
): Promise<AlertTarget> {
  const { sql, clock } = deps;
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const secretRef = await keepSecret(tx, deps, workspaceId, secret, now);
    const [made] = await tx<[{ target_id: string }]>`
      insert into delivery.alert_targets (
        workspace_id, target_id, kind, config, secret_ref, enabled, language, created_at, updated_at)
      values (${workspaceId}, molva.uuidv7(${now}), ${kind}, ${JSON.stringify(config)}::text::jsonb, ${secretRef},
        ${enabled}, ${language}, ${now}, ${now})
      returning target_id`;
    const meta = { object: "alert_target", target_id: made.target_id, kind, created: true };
    await noteChange(tx, { workspaceId, now, by, meta });
    return readAlertTarget(tx, workspaceId, made.target_id);
  });
}

export async function changeAlertTarget(
  deps: SecretDeps,
  workspaceId: string,
  targetId: string,
  { config, language, enabled, ...secret }: AlertTargetChanges,
  by: By,
): Promise<AlertTarget> {
  const { sql, clock } = deps;
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const stored = await lockTarget(tx, workspaceId, targetId);
    const before = await readAlertTarget(tx, workspaceId, targetId);
    const after = checkedConfig(stored.kind, mergePatch(stored.config, config ?? {}));
    const secretRef = await newSecret(tx, deps, workspaceId, stored.kind, secret, now);
    await tx`
      select delivery.require_secret_for_new_origin(
        ${JSON.stringify(stored.config)}::text::jsonb, ${JSON.stringify(after)}::text::jsonb, ${stored.secret_ref}, ${secretRef})`;
    await tx`
      update delivery.alert_targets
      set config = ${JSON.stringify(after)}::text::jsonb, language = ${language ?? before.language},
          enabled = ${enabled ?? before.enabled}, secret_ref = ${secretRef ?? stored.secret_ref}, updated_at = ${now}
      where workspace_id = ${workspaceId} and target_id = ${targetId}`;
    if (secretRef) await forgetSecret(tx, workspaceId, stored.secret_ref);
    const changed = await readAlertTarget(tx, workspaceId, targetId);
    // The configuration holds people's addresses: the event says that it changed, without the values.
    const { config: _, ...changes } = differences(before, changed);
    const configChanged = JSON.stringify(after) !== JSON.stringify(stored.config);
    const meta = {
      object: "alert_target",
      target_id: targetId,
      changes,
      ...(configChanged && { config_changed: true }),
      ...(secretRef && { secret_changed: true }),
    };
    if (secretRef || configChanged || !isEmpty(changes)) await noteChange(tx, { workspaceId, now, by, meta });
    return changed;
  });
}

/** Removes the target with its secret; alerts that are still to be sent to it are dropped. */
export async function removeAlertTarget(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  targetId: string,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const work = async (tx: Transaction) => {
    const [removed] = await tx<{ kind: TargetKind; secret_ref: string | null }[]>`
        delete from delivery.alert_targets where workspace_id = ${workspaceId} and target_id = ${targetId}
        returning kind, secret_ref`;
    if (!removed) throw noTarget(targetId);
    await forgetSecret(tx, workspaceId, removed.secret_ref);
    const meta = { object: "alert_target", target_id: targetId, kind: removed.kind, deleted: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  };
  await inOneChange(sql, work, rehearsal);
}

interface StoredTarget {
  readonly kind: TargetKind;
  readonly config: Record<string, unknown>;
  readonly secret_ref: string | null;
}

async function lockTarget(tx: Transaction, workspaceId: string, targetId: string): Promise<StoredTarget> {
  const [row] = await tx<StoredTarget[]>`
    select kind, config, secret_ref from delivery.alert_targets
    where workspace_id = ${workspaceId} and target_id = ${targetId} for update`;
  if (!row) throw noTarget(targetId);
  return row;
}

async function newSecret(
  tx: Transaction,
  deps: SecretDeps,
  workspaceId: string,
  kind: TargetKind,
  given: GivenSecret,
  now: Date,
): Promise<string | null> {
  const secretRef = await keepSecret(tx, deps, workspaceId, given, now);
  if (secretRef && kind === "email") {
    const detail = `${noMailSecret}.`;
    throw problem("unprocessable", { detail, errors: [{ pointer: "/secret", detail }] });
  }
  return secretRef;
}

function checkedConfig(kind: TargetKind, config: unknown) {
  const read = targetConfigs[kind].safeParse(config, inOurWords);
  if (read.success) return read.data;
  const errors = errorsFromIssues(read.error.issues, ["config"]);
  const [first] = errors;
  throw problem("unprocessable", {
    detail: `The configuration of the target is wrong: ${first?.pointer}: ${first?.detail}.`,
    errors,
  });
}
