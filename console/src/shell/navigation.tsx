import { ArrowUpRight } from "lucide-react";
import type { Session } from "../api/index.ts";
import { Link } from "../router/index.ts";
import { useTexts } from "../texts/index.ts";
import { elsewhere, sectionsFor } from "./sections.ts";
import "./navigation.css";

interface Props {
  readonly session: Session;
  readonly path: string;
  readonly onFollow?: () => void;
}

export function Navigation({ session, path, onFollow }: Props) {
  const { nav } = useTexts();
  return (
    <nav className="navigation" aria-label={nav.label}>
      <ul>
        {sectionsFor(session).map(({ path: href, title, icon: Icon }) => (
          <li key={href}>
            <Link href={href} aria-current={href === path ? "page" : undefined} onClick={onFollow}>
              <Icon aria-hidden="true" />
              {nav[title]}
            </Link>
          </li>
        ))}
      </ul>
      <ul>
        {elsewhere(session).map(({ path: href, title, icon: Icon }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noopener">
              <Icon aria-hidden="true" />
              {nav[title]}
              <ArrowUpRight aria-hidden="true" className="navigation-away" />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
