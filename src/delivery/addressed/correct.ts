import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type CorrectDeps, type Corrected, correct, withdraw } from "../corrections/correct.ts";
import type { Act } from "../deliveries/operations.ts";
import type { PushBody } from "../ingest/body.ts";
import type { Owner } from "./publish.ts";

/** Corrects what a product published for one of its users; deliveries of anybody else are not found. */
export async function correctAddressed(
  deps: CorrectDeps,
  workspaceId: string,
  owner: Owner,
  deliveryIds: readonly string[],
  post: PushBody["payload"],
  { reason, dryRun }: Pick<Act, "reason" | "dryRun">,
): Promise<Corrected> {
  const scope = { delivery_ids: deliveryIds, owner };
  const act = { operator: owner.product, reason, now: deps.clock.now() };
  // A dry run first: if one of several ids belongs to somebody else, it must be reported and not skipped.
  found(await correct(deps, workspaceId, scope, post, { ...act, dryRun: true }), deliveryIds);
  return correct(deps, workspaceId, scope, post, { ...act, dryRun });
}

/** Takes back what a product published for one of its users. */
export async function withdrawAddressed(
  deps: CorrectDeps,
  workspaceId: string,
  owner: Owner,
  deliveryIds: readonly string[],
  { reason, dryRun }: Pick<Act, "reason" | "dryRun">,
): Promise<Corrected> {
  const scope = { delivery_ids: deliveryIds, owner };
  const act = { operator: owner.product, reason, now: deps.clock.now() };
  found(await withdraw(deps, workspaceId, scope, { ...act, dryRun: true }), deliveryIds);
  return withdraw(deps, workspaceId, scope, { ...act, dryRun });
}

function found({ items }: Corrected, deliveryIds: readonly string[]): void {
  const known = new Set(items.map(({ delivery_id }) => delivery_id));
  const missing = deliveryIds.find((id) => !known.has(id));
  if (missing !== undefined)
    throw problem("not_found", { detail: `There is no delivery ${missing} of this user.` });
}

/** How a correction ended; undefined while it waits or is under way, and `gone` if its post is no longer kept. */
export interface CorrectionEnd {
  readonly outcome: "done" | "failed" | "superseded" | "gone";
  readonly error: { readonly code: string; readonly message: string } | null;
}

export async function correctionEnd(
  sql: Sql,
  workspaceId: string,
  correctionId: string,
): Promise<CorrectionEnd | undefined> {
  const [row] = await sql<{ status: string; error: CorrectionEnd["error"] }[]>`
    select c.status, delivery.error_of(c.last_error) as error from delivery.corrections c
    where c.workspace_id = ${workspaceId} and c.correction_id = ${correctionId}`;
  if (!row) return { outcome: "gone", error: null };
  switch (row.status) {
    case "queued":
    case "retry":
    case "sending":
      return undefined;
    case "done":
      return { outcome: "done", error: null };
    case "superseded":
      return { outcome: "superseded", error: null };
    default:
      return { outcome: "failed", error: row.error };
  }
}
