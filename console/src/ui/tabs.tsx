import { Link } from "../router/index.ts";
import "./tabs.css";

interface Props {
  readonly label: string;
  readonly current: string;
  readonly tabs: readonly { readonly path: string; readonly title: string; readonly count?: number }[];
}

/** Parts of one page, each with an address of its own. */
export function Tabs({ label, current, tabs }: Props) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ path, title, count }) => (
        <Link key={path} href={path} aria-current={path === current ? "page" : undefined}>
          {title}
          {count !== undefined && count > 0 && <span className="tabs-count">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}
