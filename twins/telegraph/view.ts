import type { PlaceView } from "../shared/index.ts";
import type { Account } from "./model.ts";
import type { Store } from "./store.ts";

/** An account with its pages. Telegraph lists them only for their owner; the twins' page shows that list. */
export function placeOf(account: Account, store: Store): PlaceView {
  const pages = store.pagesOf(account);
  const changes = pages.map(({ changedAt }) => changedAt);
  return {
    provider: "telegraph",
    id: String(account.id),
    title: account.authorName || account.shortName,
    url: `/telegraph/pages-of/${account.id}`,
    items: pages.length,
    ...(changes.length > 0 && { changedAt: Math.max(...changes) }),
  };
}
