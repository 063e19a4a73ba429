import { ArrowUpRight } from "lucide-react";
import { hrefOf, readable } from "../model/href.ts";

/** The twins fetch nothing from the web, so a preview shows only the address, in readable form. */
export function LinkPreview({ url }: { url: string }) {
  const href = hrefOf(url);
  const { host, rest } = readable(url);
  const words = (
    <>
      <strong>{host}</strong>
      {rest !== "" && <span>{rest}</span>}
    </>
  );
  if (!href) return <span className="link-preview">{words}</span>;
  return (
    <a className="link-preview" href={href} target="_blank" rel="noopener noreferrer">
      {words}
      <ArrowUpRight size={16} aria-hidden />
    </a>
  );
}
