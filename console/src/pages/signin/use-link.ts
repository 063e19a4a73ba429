import { useEffect, useState } from "react";

/**
 * The one-time link from the address `/signin#<link>`, taken out of the address and of the history at once.
 * A second link pasted into the same tab only changes the hash, so that is listened to as well.
 */
export function useLink(): [link: string | null, forget: () => void] {
  const [link, setLink] = useState(linkInAddress);
  useEffect(() => {
    const take = () => {
      const found = linkInAddress();
      if (found === null) return;
      history.replaceState(null, "", location.pathname);
      setLink(found);
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return [link, () => setLink(null)];
}

function linkInAddress(): string | null {
  return location.pathname.startsWith("/signin") && location.hash.length > 1 ? location.hash.slice(1) : null;
}
