import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useTexts } from "../texts/index.ts";
import { useTitle } from "./use-title.ts";
import "./page.css";

interface Props {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly lead?: string;
  /** The heading, for pages that move focus back to it. */
  readonly heading?: RefObject<HTMLHeadingElement | null>;
  readonly children: ReactNode;
}

/** The frame of every page: names the tab, and takes focus so that a screen reader says where we are. */
export function Page({ title, aside, lead, heading, children }: Props) {
  const texts = useTexts();
  const own = useRef<HTMLHeadingElement>(null);
  const ref = heading ?? own;
  useTitle(`${title} · ${texts.app}`);
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
  }, [ref]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={ref} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="page-lead">{lead}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}
