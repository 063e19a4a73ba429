import {
  type Compiled,
  type Credential,
  type Outcome,
  type Posted,
  readCompiled,
  type SendContext,
  type SendError,
  trackProgress,
} from "../../platforms/index.ts";
import {
  type CarryDeps,
  interruption,
  missingCredential,
  onceRenewed,
  storedError,
  transient,
} from "../dispatch/carry.ts";
import { Interrupted } from "../dispatch/interrupted.ts";
import type { CorrectionSettlement, StartedCorrection } from "./corrections-queue.ts";
import { messageIdsOf } from "./message-ids.ts";
import { postedFrom } from "./posted.ts";
import { editRefusal, removeRefusal } from "./refusals.ts";

export interface CorrectionCarryDeps
  extends Pick<
    CarryDeps,
    "platforms" | "credentials" | "http" | "media" | "clock" | "log" | "keepAnswer" | "departure"
  > {
  /** Waits for the next slot; called before every request but the first. */
  correctionTurn(correction: StartedCorrection): Promise<void>;
}

interface Ended {
  readonly outcome: Outcome;
  readonly late_ms?: number;
  readonly payload_ref?: string;
}

/** Makes one attempt at a correction. Never throws: it always returns an outcome. */
export async function carryCorrection(
  correction: StartedCorrection,
  deps: CorrectionCarryDeps,
): Promise<CorrectionSettlement> {
  const { outcome, ...besides } = await attempt(correction, deps).catch((error: unknown): Ended => {
    if (error instanceof Interrupted) return { outcome: { kind: "failed", error: interruption(error) } };
    const { correction_id } = correction;
    deps.log.error({ err: error, correction_id }, "the adapter failed");
    const message = "The adapter stopped with an unexpected error; the log has it.";
    return { outcome: { kind: "unknown", error: transient("adapter_execution_failed", message) } };
  });
  return { ...settlement(correction, outcome), ...besides };
}

async function attempt(correction: StartedCorrection, deps: CorrectionCarryDeps): Promise<Ended> {
  const prepared = await prepare(correction, deps).catch((error: unknown) => {
    deps.log.error(
      { err: error, correction_id: correction.correction_id },
      "the correction could not be prepared",
    );
    const message = "The post or its token could not be read; the log says why.";
    return { error: transient("preparation_failed", message) };
  });
  if ("error" in prepared) return { outcome: { kind: "failed", error: prepared.error } };
  const { credential, make } = prepared;
  const answered = await deps.departure(correction);
  const first = await make(contextOf(correction, credential, deps));
  const late_ms = answered();
  const outcome = await onceRenewed(first, correction, credential, deps, async (fields) => {
    await deps.correctionTurn(correction);
    return make(contextOf(correction, fields, deps));
  });
  const kept =
    outcome.kind !== "sent" && outcome.error.raw !== undefined
      ? await deps.keepAnswer(correction, outcome.error.raw)
      : undefined;
  return { outcome, ...(late_ms !== undefined && { late_ms }), ...(kept && { payload_ref: kept }) };
}

interface Prepared {
  readonly credential: Credential;
  readonly make: (context: SendContext) => Promise<Outcome>;
}

/**
 * Gets what the request needs, without contacting the provider. Checks again whether the correction is possible, because time
 * has passed.
 */
async function prepare(
  correction: StartedCorrection,
  deps: CorrectionCarryDeps,
): Promise<Prepared | { readonly error: SendError }> {
  const make = makerOf(correction, deps);
  if ("error" in make) return make;
  const { workspace_id, platform, secret_ref } = correction;
  if (!secret_ref) return { error: missingCredential };
  const read = await deps.credentials.ofPlatform(workspace_id, platform, secret_ref);
  if (read.kind === "failed") return { error: read.error };
  return read.kind === "ready"
    ? { credential: read.credential, make: make.make }
    : { error: missingCredential };
}

function makerOf(
  { kind, platform: name, posted: row, sent_at, target_id, rendered_text, render_meta }: StartedCorrection,
  { platforms, clock }: CorrectionCarryDeps,
): Pick<Prepared, "make"> | { readonly error: SendError } {
  const platform = platforms.platformOf(name);
  const posted = postedFrom(row, { sentAt: sent_at, targetId: target_id });
  if (kind === "remove") {
    const refusal = removeRefusal(platform, posted, clock.now());
    if (refusal || !posted) return { error: refused(refusal) };
    return { make: (context) => make(platform.remove?.(posted, context)) };
  }
  const next = readCompiled(render_meta.compiled, rendered_text ?? "");
  if (!next) throw new Error("the new post cannot be read");
  const refusal = editRefusal(platform, posted, next, clock.now());
  if (refusal || !posted) return { error: refused(refusal) };
  return { make: (context) => edited(platform.edit?.(next, posted, context), next, posted) };
}

async function make(working: Promise<Outcome> | undefined): Promise<Outcome> {
  if (!working) throw new Error("the platform cannot do it, which was asked before");
  return working;
}

/** An adapter that returns no new message ids has kept the old ones. */
async function edited(
  working: Promise<Outcome> | undefined,
  next: Compiled,
  { providerMessageIds }: Posted,
): Promise<Outcome> {
  const outcome = await make(working);
  if (outcome.kind !== "sent" || messageIdsOf(null, { raw: outcome.raw }).length > 0) return outcome;
  const messages = providerMessageIds.slice(0, next.requests.length).map((id, index) => ({ index, id }));
  return { ...outcome, raw: { messages } };
}

const refused = (refusal = { code: "not_supported", message: "it cannot be done" }): SendError => ({
  category: "PERMANENT",
  scope: "delivery",
  ...refusal,
});

function contextOf(
  correction: StartedCorrection,
  credential: Credential,
  deps: CorrectionCarryDeps,
): SendContext {
  const { platform, target_id: targetId, send_mode: sendMode, settings } = correction;
  return {
    channel: { platform, targetId, sendMode, settings },
    credential,
    idempotencyKey: correction.correction_id,
    since: correction.created_at,
    http: deps.http,
    clock: deps.clock,
    media: deps.media(correction),
    turn: () => deps.correctionTurn(correction),
    progress: trackProgress([], async () => {}),
  };
}

/** Turns the outcome into what the database stores. Pure. */
function settlement(correction: StartedCorrection, outcome: Outcome): CorrectionSettlement {
  const base = {
    workspaceId: correction.workspace_id,
    correction_id: correction.correction_id,
    delivery_id: correction.delivery_id,
    token: correction.claim_token,
  };
  if (outcome.kind !== "sent") return { ...base, kind: outcome.kind, error: storedError(outcome.error) };
  const { url, losses, raw } = outcome;
  const meta = { ...(url ? { url } : {}), ...(losses && { losses }), raw };
  const message_ids = correction.kind === "edit" ? messageIdsOf(outcome.providerMessageId, meta) : undefined;
  return { ...base, kind: "sent", meta, ...(message_ids && { message_ids }) };
}
