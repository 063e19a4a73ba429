import type { ReactNode } from "react";
import { linkOf } from "../model/at-twins.ts";

/** A link when the address is one that may be followed, plain coloured words otherwise. */
export function Anchor({ address, children }: { address: string | undefined; children: ReactNode }) {
  const href = linkOf(address);
  if (!href) return <span className="tag">{children}</span>;
  return (
    <a href={href} {...(!href.startsWith("#") && newTab)} title={address}>
      {children}
    </a>
  );
}

/** Chats open here, everything else beside it. */
export const newTab = { target: "_blank", rel: "noopener noreferrer" } as const;
