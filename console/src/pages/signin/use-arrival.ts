import { useEffect, useState } from "react";
import type { Texts } from "../../texts/index.ts";

/** What the address says to who comes back from the provider: a second step to make, or why they were not let in. */
export interface Arrival {
  readonly challenge: string | null;
  readonly returnTo: string;
  readonly refused: keyof Texts["signIn"]["refused"] | null;
}

/** Taken out of the address and of the history at once, as one-time links are. */
export function useArrival(texts: Texts): Arrival {
  const [arrival] = useState(() => arrivalIn(location, texts));
  useEffect(() => {
    if (arrival.challenge !== null || arrival.refused !== null)
      history.replaceState(null, "", location.pathname);
  }, [arrival]);
  return arrival;
}

export function arrivalIn(
  { pathname, hash, search }: Pick<Location, "pathname" | "hash" | "search">,
  texts: Texts,
): Arrival {
  if (!pathname.startsWith("/signin")) return { challenge: null, returnTo: "/", refused: null };
  const secret = new URLSearchParams(hash.slice(1));
  const reason = new URLSearchParams(search).get("refused");
  return {
    challenge: secret.get("second_step"),
    returnTo: localPath(secret.get("return")),
    refused: reason === null ? null : reasonIn(reason, texts),
  };
}

/** The server has checked it; the address could have been made by somebody else. */
function localPath(path: string | null): string {
  return path !== null && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) ? path : "/";
}

function reasonIn(reason: string, { signIn }: Texts): keyof Texts["signIn"]["refused"] {
  const isKnown = (text: string): text is keyof Texts["signIn"]["refused"] =>
    Object.hasOwn(signIn.refused, text);
  return isKnown(reason) ? reason : "failed";
}
