import type { ReactNode } from "react";
import { hrefOf } from "../model/href.ts";

/** A link when the address is one that may be followed, plain coloured words otherwise. */
export function Anchor({ address, children }: { address: string | undefined; children: ReactNode }) {
  const href = hrefOf(address);
  if (!href) return <span className="tag">{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
    </a>
  );
}
