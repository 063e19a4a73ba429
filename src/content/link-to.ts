import type { Inline } from "./document.ts";
import { isBlank } from "./inlines.ts";
import { linkAddress } from "./link-address.ts";
import type { RepairLog } from "./problem.ts";

/** A link or a mention of the address, or the inlines alone if the address is not allowed. */
export function linkTo(
  href: string,
  children: Inline[],
  log: RepairLog,
  offset: number | undefined,
): Inline[] {
  if (isBlank(children)) return children;
  const address = linkAddress(href);
  if (address.kind === "refused") {
    log.add("link_dropped", offset);
    return children;
  }
  if (address.kind === "mention") {
    return [{ type: "mention", network: address.network, userId: address.userId, children }];
  }
  if (address.completed) log.add("link_completed", offset);
  return [{ type: "link", url: address.url, children }];
}
