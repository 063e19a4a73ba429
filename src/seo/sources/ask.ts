import type { SourceDeps } from "./deps.ts";
import { longestWaitMs } from "./limits.ts";
import type { MissingReason, Payer, Sourced, SourceFault, SourceName } from "./result.ts";
import { missing } from "./texts.ts";

/** How one request to a provider ended. Providers charge for some failures too. */
export type Attempt<T> = { readonly kind: "done"; readonly value: T; readonly costUsd: number } | NotDone;

export type NotDone =
  /** A repeat may help. */
  | {
      readonly kind: "again";
      readonly reason: "unavailable" | "quota";
      readonly fault?: SourceFault | undefined;
      readonly detail: string;
      readonly waitMs?: number | undefined;
      readonly costUsd?: number;
      /** No answer came in the time that was given for it. */
      readonly timedOut?: boolean;
    }
  | {
      readonly kind: "end";
      readonly reason: MissingReason;
      readonly fault?: SourceFault | undefined;
      readonly detail: string;
      readonly costUsd?: number;
    };

/**
 * Asks a provider until it answers or the attempts are used up: one more than there are waits. A wait that the provider
 * demands is kept, unless it is too long to wait for. The cost of all attempts is noted as one.
 */
export async function ask<T>(
  deps: SourceDeps,
  source: SourceName,
  payer: Payer,
  waitsMs: readonly number[],
  attempt: () => Promise<Attempt<T>>,
): Promise<Sourced<T>> {
  const callId = `${source}-${deps.newId()}`;
  let costUsd = 0;
  for (let at = 0; ; at += 1) {
    const ended = await attempt();
    costUsd += ended.costUsd ?? 0;
    if (ended.kind === "done") {
      await noteCall(deps, source, payer, callId, costUsd);
      return { ok: true, value: ended.value, costUsd, cached: false, callId };
    }
    const wait = waitsMs[at];
    const waitMs = ended.kind === "again" ? Math.max(ended.waitMs ?? 0, wait ?? 0) : 0;
    if (ended.kind === "end" || wait === undefined || waitMs > longestWaitMs) {
      if (costUsd > 0) await noteCall(deps, source, payer, callId, costUsd);
      // What a source does not know is no trouble.
      if (ended.reason !== "no_data")
        deps.log.warn(
          { source, reason: ended.reason, detail: ended.detail },
          "a source of facts gave nothing",
        );
      return missing(source, ended.reason, ended.detail, ended.fault);
    }
    await deps.pause(waitMs);
  }
}

/** An answer that was paid for is used even if the books cannot be written. */
export async function noteCall(
  { noteCost, log }: SourceDeps,
  source: SourceName,
  payer: Payer,
  callId: string,
  costUsd: number,
): Promise<void> {
  try {
    await noteCost({ ...payer, provider: source, callId, costUsd });
  } catch (error) {
    log.error({ err: error, source, callId, costUsd }, "the cost of a call could not be noted");
  }
}
