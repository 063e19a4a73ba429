import type { Rendering } from "../ingest/compile-for-channel.ts";
import { leaseSource, readSource } from "./ledger.ts";
import { ExpressionError } from "./mapped/expression.ts";
import { chooseNew, listNow, preparedItem, type ReadDeps } from "./prepare.ts";
import { type PullDeps, type PullReport, pull } from "./pull.ts";
import { newItem, type PullItem } from "./pull-item.ts";
import { expressionFailure, type PullFailure, type Source } from "./source.ts";

export interface SourceName {
  readonly workspaceId: string;
  readonly sourceId: string;
}

export type PullNowReport = PullReport | { readonly outcome: "unknown" | "disabled" | "busy" };

/** Reads a source at once, whether it is due or not. `busy` while another run has it. */
export async function pullNow(
  { workspaceId, sourceId }: SourceName,
  deps: PullDeps,
  signal: AbortSignal = new AbortController().signal,
): Promise<PullNowReport> {
  const leased = await leaseSource(deps.sql, workspaceId, sourceId, deps.clock.now());
  if (leased) return pull(leased, deps, signal);
  const [row] = await deps.sql<{ enabled: boolean }[]>`
    select enabled from delivery.pull_sources where workspace_id = ${workspaceId} and source_id = ${sourceId}`;
  if (!row) return { outcome: "unknown" };
  return { outcome: row.enabled ? "busy" : "disabled" };
}

export type Preview =
  | { readonly outcome: "unknown" }
  | { readonly outcome: "failed"; readonly failure: PullFailure }
  | {
      readonly outcome: "preview";
      readonly listed: number;
      /** New, but only remembered: beyond the limit of the first run, or too old. */
      readonly seen: number;
      readonly items: readonly PreviewedItem[];
    };

export interface PreviewedItem {
  readonly item: PullItem;
  /** Why it would be dropped. */
  readonly invalid?: string;
  /** By channel profile: the text that would be shown, or why the channels of this profile cannot take it. */
  readonly renderings: Readonly<Record<string, Rendering>>;
}

/**
 * What reading the source now would post. Writes nothing, and sends no validators, so that the server cannot answer "not
 * modified".
 */
export async function previewPull(
  { workspaceId, sourceId }: SourceName,
  deps: ReadDeps,
  signal?: AbortSignal,
): Promise<Preview> {
  const source = await readSource(deps.sql, workspaceId, sourceId);
  return source ? previewSource(source, deps, signal) : { outcome: "unknown" };
}

/** The same for a source as given, which need not be stored. */
export async function previewSource(
  source: Source,
  deps: ReadDeps,
  signal: AbortSignal = new AbortController().signal,
): Promise<Exclude<Preview, { outcome: "unknown" }>> {
  const { etag, last_modified, ...cursor } = source.cursor;
  const listing = await listNow({ ...source, cursor }, deps, signal);
  if (listing.kind === "failed") return { outcome: "failed", failure: listing.failure };
  const { candidates } = listing.kind === "listed" ? listing : { candidates: [] };
  const chosen = listing.kind === "listed" ? await chooseNew(listing, source, deps) : [];
  const posted = chosen.filter(({ post }) => post);
  let made: PullItem[];
  try {
    made = posted.map(({ candidate }) => newItem(candidate));
  } catch (error) {
    if (error instanceof ExpressionError) return { outcome: "failed", failure: expressionFailure(error) };
    throw error;
  }
  const items = await Promise.all(
    made.map(async (item) => {
      return {
        item,
        ...(typeof item.invalid === "string" && { invalid: item.invalid }),
        renderings: (await preparedItem(item, source.workspaceId, deps))?.compiled ?? {},
      };
    }),
  );
  return { outcome: "preview", listed: candidates.length, seen: chosen.length - posted.length, items };
}
