import type { Candidate } from "./source.ts";

/** What decides between posting an item and only remembering it. */
export interface Choice {
  /** Refs that the source shows for the first time. */
  readonly unseen: ReadonlySet<string>;
  /** For a source's first reading: how many of the newest items are posted. */
  readonly firstRun?: number;
  /** Older items are no news. */
  readonly notBefore?: Date;
  /** Up to here items have been forgotten: one that is dated earlier has come back, it is not new. */
  readonly forgottenUpTo?: Date;
}

export interface Chosen {
  readonly candidate: Candidate;
  readonly post: boolean;
}

/** The new ones of a list, in its order, each with the decision. */
export function choose(candidates: readonly Candidate[], choice: Choice): Chosen[] {
  const firstPosted = choice.firstRun === undefined ? 0 : candidates.length - choice.firstRun;
  return candidates
    .map((candidate, place) => ({ candidate, post: place >= firstPosted && !isOld(candidate, choice) }))
    .filter(({ candidate }) => choice.unseen.has(candidate.ref));
}

function isOld({ publishedAt }: Candidate, { notBefore, forgottenUpTo }: Choice): boolean {
  if (!publishedAt) return false;
  return (
    (notBefore !== undefined && publishedAt < notBefore) ||
    (forgottenUpTo !== undefined && publishedAt <= forgottenUpTo)
  );
}
