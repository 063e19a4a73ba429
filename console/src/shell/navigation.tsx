import { ArrowUpRight } from "lucide-react";
import type { Session } from "../api/index.ts";
import { Link } from "../router/index.ts";
import { useTexts } from "../texts/index.ts";
import { elsewhere, groups, pageAt, sectionsFor } from "./sections.ts";
import "./navigation.css";

interface Props {
  readonly session: Session;
  readonly path: string;
  readonly onFollow?: () => void;
}

export function Navigation({ session, path, onFollow }: Props) {
  const { nav } = useTexts();
  const sections = sectionsFor(session);
  const current = pageAt(path, sections)?.section;
  return (
    <nav className="navigation" aria-label={nav.label}>
      {groups.map((group) => {
        const members = sections.filter((section) => section.group === group);
        if (members.length === 0) return null;
        return (
          <section key={group} aria-label={nav.groups[group]}>
            <p className="navigation-group" aria-hidden="true">
              {nav.groups[group]}
            </p>
            <ul>
              {members.map(({ path: href, title, icon: Icon }) => (
                <li key={href}>
                  <Link
                    href={href}
                    aria-current={href === current?.path ? (href === path ? "page" : "true") : undefined}
                    onClick={onFollow}
                  >
                    <Icon aria-hidden="true" />
                    {nav.sections[title]}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <ul>
        {elsewhere(session).map(({ path: href, title, icon: Icon }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noopener">
              <Icon aria-hidden="true" />
              {nav.sections[title]}
              <ArrowUpRight aria-hidden="true" className="navigation-away" />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
