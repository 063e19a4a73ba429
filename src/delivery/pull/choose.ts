import type { Candidate } from "./source.ts";

/** What decides whether an item is posted or only remembered. */
export interface Choice {
  /** Refs that the source lists for the first time. */
  readonly unseen: ReadonlySet<string>;
  /** For the first reading of a source: how many of the newest items are posted. */
  readonly firstRun?: number;
  /** Older items are not posted. */
  readonly notBefore?: Date;
  /** Items up to this date have been forgotten: one with an earlier date has come back and is not new. */
  readonly forgottenUpTo?: Date;
}

export interface Chosen {
  readonly candidate: Candidate;
  readonly post: boolean;
}

/** The new items of a list, in its order, each with the decision. */
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
