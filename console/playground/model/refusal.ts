import type { Texts } from "../texts/index.ts";

/** Why a tap did nothing, in the page's language; a reason that is not a code stands as the twin gave it. */
export function refusalIn(reason: string, { refusals, pressFailed }: Texts): string {
  const known = Object.entries(refusals).find(([code]) => code === reason);
  return known?.[1] ?? pressFailed(reason);
}
