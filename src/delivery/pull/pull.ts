import type { Log } from "../../kernel/log/index.ts";
import type { Chosen } from "./choose.ts";
import { finishPull, ingestLeasedChunk, type PullEnd, renewReceipts } from "./ledger.ts";
import { ExpressionError } from "./mapped/expression.ts";
import { chooseNew, listNow, preparedItem, type ReadDeps } from "./prepare.ts";
import { newItem, seenItem } from "./pull-item.ts";
import { pullLimits } from "./pull-limits.ts";
import { noStats, type PullStats, sum } from "./pull-stats.ts";
import { expressionFailure, type LeasedSource, type PullFailure } from "./source.ts";

export interface PullDeps extends ReadDeps {
  readonly log: Log;
}

export type PullReport = { readonly runId: string } & (
  | { readonly outcome: "done"; readonly listed: number; readonly stats: PullStats }
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "failed"; readonly failure: PullFailure }
  /** The process stops, or another run has the lease now; what was committed stays. */
  | { readonly outcome: "interrupted" }
);

/** Completes one leased run: list, choose, ingest chunk by chunk, return the lease. Never throws. */
export async function pull(source: LeasedSource, deps: PullDeps, signal: AbortSignal): Promise<PullReport> {
  const { sql, clock, log } = deps;
  const about = { workspace: source.workspaceId, source: source.sourceId, run: source.runId };
  const ending = await run(source, deps, signal).catch((error: unknown) => {
    if (error instanceof ExpressionError) return failedWith(source, expressionFailure(error));
    log.error({ err: error, ...about }, "a source's run broke");
    return failedWith(source, { code: "internal_error", message: messageOf(error) });
  });
  const { report, end } = ending;
  if (report.outcome === "failed") log.warn({ ...about, ...report.failure }, "a source could not be read");
  try {
    await finishPull(sql, source, end, clock.now());
  } catch (error) {
    // The lease expires by itself, and what was committed is remembered.
    log.error({ err: error, ...about }, "the end of a source's run could not be recorded");
  }
  return report;
}

interface Ending {
  readonly report: PullReport;
  readonly end: PullEnd;
}

async function run(source: LeasedSource, deps: PullDeps, signal: AbortSignal): Promise<Ending> {
  const { sql, clock } = deps;
  const { runId } = source;
  if (!source.endpointId) return failedWith(source, noEndpoint);
  const listing = await listNow(source, deps, signal);
  if (signal.aborted) return interrupted(source);
  if (listing.kind === "failed") return failedWith(source, listing.failure);
  if (listing.kind === "unchanged")
    return {
      report: { outcome: "unchanged", runId },
      end: { kind: "done", cursor: {}, listed: false, more: false, stats: { not_modified: true } },
    };

  let stats = noStats;
  for (const part of chunksOf(await chooseNew(listing, source, deps))) {
    const items = part.map(({ candidate, post }) => (post ? newItem(candidate) : seenItem(candidate)));
    const prepared = await Promise.all(items.map((item) => preparedItem(item, source.workspaceId, deps)));
    const answer = await ingestLeasedChunk(sql, source, { items, prepared }, clock.now());
    if (!answer) return interrupted(source);
    if (answer.skipped) return failedWith(source, noEndpoint);
    stats = sum(stats, answer);
    if (signal.aborted) return interrupted(source);
  }
  const refs = listing.candidates.map(({ ref }) => ref);
  await renewReceipts(sql, source, refs, clock.now());
  const { cursor, more } = listing;
  return {
    report: { outcome: "done", runId, listed: refs.length, stats },
    end: { kind: "done", cursor, listed: true, more, stats: { listed: refs.length } },
  };
}

const noEndpoint: PullFailure = {
  code: "ingress_config_error",
  message: "the source has no enabled endpoint, or was disabled",
};

function failedWith({ runId }: LeasedSource, failure: PullFailure): Ending {
  return { report: { outcome: "failed", runId, failure }, end: { kind: "failed", failure } };
}

function interrupted({ runId }: LeasedSource): Ending {
  return { report: { outcome: "interrupted", runId }, end: { kind: "interrupted" } };
}

function* chunksOf(chosen: readonly Chosen[]): Generator<readonly Chosen[]> {
  for (let start = 0; start < chosen.length; start += pullLimits.chunk)
    yield chosen.slice(start, start + pullLimits.chunk);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
