import type { z } from "zod";
import { actAs } from "../../../audit/index.ts";
import { problem } from "../../../http/index.ts";
import { isPublished, randomToken, sha256Hex, type Vault } from "../../../kernel/crypto/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  differences,
  forgetSecret,
  isEmpty,
  noteChange,
  type Rehearsal,
  storeSecret,
} from "../../../workspaces/index.ts";
import { newSigningSecret, overlap } from "../../signatures/signing-secret.ts";
import { inOneChange } from "../change.ts";
import type {
  Endpoint,
  EndpointChanges,
  EndpointWithSecret,
  NewEndpoint,
  newSigning,
  Rotation,
} from "./endpoint-shape.ts";
import { readEndpoint } from "./read-endpoints.ts";

/** Dependencies of changes to secrets that are stored encrypted. */
export interface EndpointDeps extends AdminDeps {
  readonly vault: Vault;
}

/**
 * Creates an endpoint. Of its secret only the hash is stored; a signing secret is stored encrypted. Both are shown in this answer
 * only. `givenTo` is the token that is shown them, if any.
 */
export async function addEndpoint(
  { sql, clock, vault }: EndpointDeps,
  workspaceId: string,
  { kind = "webhook_push", secret = randomToken(), mode = "secret", signing_secret, ...fields }: NewEndpoint,
  by: By,
  givenTo = tokenOf(by),
): Promise<EndpointWithSecret> {
  refusePublished(secret);
  if (mode !== "secret") refuseSignedBot(kind);
  const signing = mode === "secret" ? null : (signing_secret ?? newSigningSecret());
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const ref = signing && (await storeSecret(tx, vault, workspaceId, signing, now));
    const [made] = await tx<[{ endpoint_id: string }]>`
      insert into delivery.workspace_endpoints (
        workspace_id, endpoint_id, kind, secret_hash, mode, signing_ref, created_at, updated_at)
      values (${workspaceId}, molva.uuidv7(${now}), ${kind}, ${sha256Hex(secret)}, ${mode}, ${ref}, ${now}, ${now})
      returning endpoint_id`;
    await bindSecrets(tx, workspaceId, made.endpoint_id, givenTo);
    await setFields(tx, workspaceId, made.endpoint_id, fields, now);
    const endpoint = await existing(tx, workspaceId, made.endpoint_id);
    const meta = { object: "endpoint", endpoint_id: made.endpoint_id, created: true, name: endpoint.name };
    await noteChange(tx, { workspaceId, now, by, meta });
    return withSecrets(endpoint, secret, signing);
  });
}

/** Gives an endpoint its first signing secret. Its other secret stays as it is. */
export async function addSigning(
  { sql, clock, vault }: EndpointDeps,
  workspaceId: string,
  endpointId: string,
  {
    mode = "either",
    signing_secret: signing = newSigningSecret(),
  }: Omit<z.infer<typeof newSigning>, "reason">,
  by: By,
): Promise<EndpointWithSecret> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await lockEndpoint(tx, workspaceId, endpointId);
    const before = await existing(tx, workspaceId, endpointId);
    refuseSignedBot(before.kind);
    if (before.replaced_by) throw replaced(before.replaced_by);
    if (before.has_signing_secret)
      throw problem("conflict", {
        detail: "The endpoint has a signing secret: rotate it, and the old one works on for a while.",
      });
    const ref = await storeSecret(tx, vault, workspaceId, signing, now);
    await tx`
      update delivery.workspace_endpoints
      set signing_ref = ${ref}, signing_by_token = ${tokenOf(by)}, mode = ${mode}, updated_at = ${now}
      where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}`;
    const after = await existing(tx, workspaceId, endpointId);
    const meta = { object: "endpoint", endpoint_id: endpointId, changes: differences(before, after) };
    await noteChange(tx, { workspaceId, now, by, meta });
    return withSecrets(after, null, signing);
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
    await lockEndpoint(tx, workspaceId, endpointId);
    const before = await existing(tx, workspaceId, endpointId);
    if (before.replaced_by && changes.enabled) throw replaced(before.replaced_by);
    if (changes.mode && changes.mode !== "secret" && !before.has_signing_secret) throw noSigningSecret();
    await setFields(tx, workspaceId, endpointId, changes, now);
    // An old secret that was ended early opens nothing again, and what it signed with is forgotten.
    if (before.replaced_by && changes.enabled === false)
      await tx`select delivery.forget_old_signing(${workspaceId}, ${endpointId})`;
    const after = await existing(tx, workspaceId, endpointId);
    const changed = differences(before, after);
    const meta = { object: "endpoint", endpoint_id: endpointId, changes: changed };
    if (!isEmpty(changed)) await noteChange(tx, { workspaceId, now, by, meta });
    if ("enabled" in changed) await tx`select pg_notify('molva_endpoints', ${workspaceId})`;
    return after;
  });
}

/**
 * Replaces the secrets: a new row has them, and the old row stays as history. The old secrets open the new row until the overlap
 * ends.
 */
export async function rotateEndpoint(
  { sql, clock, vault }: EndpointDeps,
  workspaceId: string,
  endpointId: string,
  { secret = randomToken(), signing_secret, overlap_seconds = overlap.usualSeconds }: Rotation,
  by: By,
  givenTo = tokenOf(by),
): Promise<EndpointWithSecret> {
  refusePublished(secret);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const before = await existing(tx, workspaceId, endpointId);
    if (before.kind === "pull_source")
      throw problem("conflict", { detail: "The door of a pull source has no secret to rotate." });
    await actAs(tx, by);
    const signing = before.has_signing_secret ? (signing_secret ?? newSigningSecret()) : null;
    const ref = signing && (await storeSecret(tx, vault, workspaceId, signing, now));
    const [made] = await tx<[{ endpoint_id: string | null }]>`
      select (delivery.rotate_endpoint(${workspaceId}, ${endpointId}, ${sha256Hex(secret)}, ${ref},
        make_interval(secs => ${overlap_seconds}), ${by.operator}, ${by.reason ?? null}, ${now})).endpoint_id`;
    if (!made.endpoint_id)
      throw problem("conflict", {
        detail: "The endpoint is disabled or was replaced: rotate the one that replaced it.",
      });
    await bindSecrets(tx, workspaceId, made.endpoint_id, givenTo);
    return withSecrets(await existing(tx, workspaceId, made.endpoint_id), secret, signing);
  });
}

/** The token that is given a secret; null for people and commands. */
function tokenOf({ actor }: By): string | null {
  return actor?.kind === "token" ? actor.id : null;
}

/** What a token is given outlives it no more than a token that it makes, and works from no more networks. */
async function bindSecrets(
  tx: Transaction,
  workspaceId: string,
  endpointId: string,
  token: string | null,
): Promise<void> {
  if (token === null) return;
  await tx`
    update delivery.workspace_endpoints
    set secret_by_token = ${token}, signing_by_token = case when signing_ref is not null then ${token}::uuid end
    where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}`;
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
    const [gone] = await tx<{ signing_ref: string | null }[]>`
      delete from delivery.workspace_endpoints where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}
      returning signing_ref`;
    await forgetSecret(tx, workspaceId, gone?.signing_ref ?? null);
    const meta = { object: "endpoint", endpoint_id: endpointId, name, deleted: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  };
  await inOneChange(sql, work, rehearsal);
}

/** Secrets that would open nothing are not shown. */
function withSecrets(endpoint: Endpoint, secret: string | null, signing: string | null): EndpointWithSecret {
  return { ...endpoint, secret: endpoint.mode === "signature" ? null : secret, signing_secret: signing };
}

function refuseSignedBot(kind: Endpoint["kind"]): void {
  if (kind !== "webhook_push")
    throw problem("unprocessable", {
      detail: "Only posts can be signed: an endpoint of the kind webhook_push.",
      errors: [{ pointer: "/mode", detail: "Not for this kind" }],
    });
}

function noSigningSecret() {
  return problem("conflict", {
    detail: "The endpoint has no signing secret yet: `molva endpoint sign`, or POST …/signing, makes one.",
    errors: [{ pointer: "/mode", detail: "Needs a signing secret" }],
  });
}

function replaced(by: string) {
  return problem("conflict", {
    detail: `The endpoint was replaced by ${by} when its secret was rotated: use that one.`,
  });
}

async function lockEndpoint(tx: Transaction, workspaceId: string, endpointId: string): Promise<void> {
  await tx`
    select from delivery.workspace_endpoints
    where workspace_id = ${workspaceId} and endpoint_id = ${endpointId} for no key update`;
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
    set (mode, ingress_rps, max_payload_bytes, hash_drop_window_sec, networks, enabled) = (
          select r.mode, r.ingress_rps, r.max_payload_bytes, r.hash_drop_window_sec, r.networks, r.enabled
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
