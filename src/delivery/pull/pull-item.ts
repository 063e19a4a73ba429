import { type PushBody, readPost } from "../ingest/body.ts";
import { OverBudget } from "./mapped/expression.ts";
import type { Candidate } from "./source.ts";

/** An item as `delivery.ingest_pull_chunk` takes it: a push body and what the source says of it. */
export type PullItem = Readonly<Record<string, unknown>>;

/** A new item: its post, or the reason why there is none. */
export function newItem(candidate: Candidate): PullItem {
  const about = aboutOf(candidate);
  try {
    return storable({ ...checkedPost(candidate.post()), ...about });
  } catch (error) {
    if (error instanceof OverBudget) throw error;
    return storable({ ...about, invalid: error instanceof Error ? error.message : String(error) });
  }
}

/** An item that is only remembered. */
export function seenItem(candidate: Candidate): PullItem {
  return storable({ ...aboutOf(candidate), seen_only: true });
}

/** An item given by a caller, in the shape of a push body. */
export function givenItem(item: unknown): PullItem {
  const { source_ref, cursor_to, cursor, ...rest } = isObject(item) ? item : {};
  const about = { source_ref, cursor_to, cursor };
  try {
    return storable({ ...checkedPost(source_ref === undefined ? rest : { ...rest, source_ref }), ...about });
  } catch (error) {
    return storable({ ...about, invalid: error instanceof Error ? error.message : String(error) });
  }
}

function aboutOf({ ref, cursor, publishedAt }: Candidate): PullItem {
  return {
    source_ref: ref,
    cursor_to: cursor,
    ...(publishedAt && { published_at: publishedAt.toISOString() }),
  };
}

function checkedPost(body: unknown): PushBody {
  const read = readPost(body);
  if ("post" in read) return read.post;
  throw new Error(read.faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join("; "));
}

/**
 * NUL and unpaired surrogates cannot be stored; they are removed from ids and cursors, and a post with them was refused before.
 */
function storable(item: Readonly<Record<string, unknown>>): PullItem {
  return JSON.parse(
    JSON.stringify(item, (_key, value: unknown) =>
      typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value,
    ),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
