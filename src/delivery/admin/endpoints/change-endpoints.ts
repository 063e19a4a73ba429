import { problem } from "../../../http/index.ts";
import { isPublished, randomToken, sha256Hex } from "../../../kernel/crypto/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  differences,
  isEmpty,
  noteChange,
  type Rehearsal,
} from "../../../workspaces/index.ts";
import { inOneChange } from "../change.ts";
import type { Endpoint, EndpointChanges, EndpointWithSecret, NewEndpoint } from "./endpoint-shape.ts";
import { readEndpoint } from "./read-endpoints.ts";

/** Creates an endpoint. Only the hash of its secret is stored, so the secret is shown in this answer only. */
export async function addEndpoint(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { kind = "webhook_push", secret = randomToken(), ...fields }: NewEndpoint,
  by: By,
): Promise<EndpointWithSecret> {
  refusePublished(secret);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const [made] = await tx<[{ endpoint_id: string }]>`
      insert into delivery.workspace_endpoints (workspace_id, endpoint_id, kind, secret_hash, created_at, updated_at)
      values (${workspaceId}, molva.uuidv7(${now}), ${kind}, ${sha256Hex(secret)}, ${now}, ${now})
      returning endpoint_id`;
    await setFields(tx, workspaceId, made.endpoint_id, fields, now);
    const endpoint = await existing(tx, workspaceId, made.endpoint_id);
    const meta = { object: "endpoint", endpoint_id: made.endpoint_id, created: true, name: endpoint.name };
    await noteChange(tx, { workspaceId, now, by, meta });
    return { ...endpoint, secret };
  });
}

export async function changeEndpoint(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  endpointId: string,
  changes: EndpointChanges & { enabled?: boolean },
  by: By,
): Promise<Endpoint> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await tx`
      select from delivery.workspace_endpoints
      where workspace_id = ${workspaceId} and endpoint_id = ${endpointId} for no key update`;
    const before = await existing(tx, workspaceId, endpointId);
    await setFields(tx, workspaceId, endpointId, changes, now);
    const after = await existing(tx, workspaceId, endpointId);
    const changed = differences(before, after);
    const meta = { object: "endpoint", endpoint_id: endpointId, changes: changed };
    if (!isEmpty(changed)) await noteChange(tx, { workspaceId, now, by, meta });
    if ("enabled" in changed) await tx`select pg_notify('molva_endpoints', ${workspaceId})`;
    return after;
  });
}

/** Replaces the secret at once: from the commit on the old one is refused; its row stays as history. */
export async function rotateEndpoint(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  endpointId: string,
  secret: string | undefined,
  by: By,
): Promise<EndpointWithSecret> {
  const chosen = secret ?? randomToken();
  refusePublished(chosen);
  return inOneChange(sql, async (tx) => {
    const before = await existing(tx, workspaceId, endpointId);
    if (before.kind === "pull_source")
      throw problem("conflict", { detail: "The door of a pull source has no secret to rotate." });
    const [made] = await tx<[{ endpoint_id: string | null }]>`
      select (delivery.rotate_endpoint(${workspaceId}, ${endpointId}, ${sha256Hex(chosen)}, ${by.operator},
        ${by.reason ?? null}, ${clock.now()})).endpoint_id`;
    if (!made.endpoint_id)
      throw problem("conflict", { detail: "The endpoint is disabled: rotate the one that replaced it." });
    return { ...(await existing(tx, workspaceId, made.endpoint_id)), secret: chosen };
  });
}

/** Deletes an endpoint; the history of its secrets stays in the events. */
export async function deleteEndpoint(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  endpointId: string,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const work = async (tx: Transaction) => {
    await tx`
      select from delivery.workspace_endpoints
      where workspace_id = ${workspaceId} and endpoint_id = ${endpointId} for update`;
    const { kind, enabled, source_id, name } = await existing(tx, workspaceId, endpointId);
    if (kind === "pull_source")
      throw problem("conflict", {
        detail: `The endpoint belongs to the source ${source_id}: it goes when the source is deleted.`,
      });
    if (enabled)
      throw problem("conflict", {
        detail: "The endpoint is open, and somebody may be posting through it: disable it first.",
      });
    await tx`
      delete from delivery.workspace_endpoints where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}`;
    const meta = { object: "endpoint", endpoint_id: endpointId, name, deleted: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  };
  await inOneChange(sql, work, rehearsal);
}

function refusePublished(secret: string): void {
  if (isPublished(secret))
    throw problem("unprocessable", {
      detail:
        "Anybody can read this secret in Molva's documents: choose another, or leave it out and one is made.",
      errors: [{ pointer: "/secret", detail: "Published with Molva's demo" }],
    });
}

async function setFields(
  tx: Transaction,
  workspaceId: string,
  endpointId: string,
  { name, description, keep_bodies, ...columns }: EndpointChanges & { enabled?: boolean },
  now: Date,
): Promise<void> {
  await tx`
    update delivery.workspace_endpoints e
    set (ingress_rps, max_payload_bytes, hash_drop_window_sec, enabled) = (
          select r.ingress_rps, r.max_payload_bytes, r.hash_drop_window_sec, r.enabled
          from jsonb_populate_record(e, ${JSON.stringify(columns)}::text::jsonb) r),
        meta = jsonb_strip_nulls(e.meta || ${JSON.stringify({ name, description, keep_bodies })}::text::jsonb),
        updated_at = ${now}
    where e.workspace_id = ${workspaceId} and e.endpoint_id = ${endpointId}`;
}

async function existing(tx: Transaction, workspaceId: string, endpointId: string): Promise<Endpoint> {
  const endpoint = await readEndpoint(tx, workspaceId, endpointId);
  if (!endpoint) throw problem("not_found", { detail: `There is no endpoint ${endpointId}.` });
  return endpoint;
}
