import { useEffect, useState } from "react";

/**
 * The one-time link from the address `/signin#<link>` or `/invitation#<link>`, taken out of the address and of the history at once.
 * A second link pasted into the same tab only changes the hash, so that is listened to as well.
 */
export function useLink(path: "/signin" | "/invitation"): [link: string | null, forget: () => void] {
  const [link, setLink] = useState(() => linkInAddress(path));
  useEffect(() => {
    const take = () => {
      const found = linkInAddress(path);
      if (found === null) return;
      history.replaceState(null, "", location.pathname);
      setLink(found);
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, [path]);
  return [link, () => setLink(null)];
}

function linkInAddress(path: string): string | null {
  // With a "=" it is of who comes back from a provider: see use-arrival.ts.
  const link = location.hash.slice(1);
  return location.pathname.startsWith(path) && link !== "" && !link.includes("=") ? link : null;
}
