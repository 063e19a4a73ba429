/** The navigation. A new page is one line here. */
import {
  BookOpen,
  CircleUserRound,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
} from "lucide-react";
import type { ComponentType } from "react";
import type { Scope, Session, Workspace } from "../api/index.ts";
import { AccountPage } from "../pages/account/index.ts";
import { OverviewPage } from "../pages/overview/index.ts";
import { TokensPage } from "../pages/tokens/index.ts";
import type { Texts } from "../texts/index.ts";

export interface PageProps {
  readonly session: Session;
  /** The workspace chosen in the top bar; absent when the operator has none. */
  readonly workspace: Workspace | undefined;
}

interface Entry {
  readonly path: string;
  readonly title: keyof Texts["nav"];
  readonly icon: LucideIcon;
}

export interface Section extends Entry {
  /** Shown to operators who have this scope in some workspace. */
  readonly needs?: Scope;
  readonly Page: ComponentType<PageProps>;
}

const sections: readonly Section[] = [
  { path: "/", title: "overview", icon: LayoutDashboard, Page: OverviewPage },
  { path: "/tokens", title: "tokens", icon: KeyRound, needs: "admin", Page: TokensPage },
  { path: "/account", title: "account", icon: CircleUserRound, Page: AccountPage },
];

/** The sections that the operator's roles open. */
export function sectionsFor({ scopes }: Pick<Session, "scopes">): readonly Section[] {
  return sections.filter(({ needs }) => needs === undefined || scopes.includes(needs));
}

/** Pages that somebody else serves; the playground only where twins run. */
export function elsewhere({ playground }: Pick<Session, "playground">): readonly Entry[] {
  return [
    ...(playground ? [{ path: "/playground", title: "playground", icon: MessagesSquare } as const] : []),
    { path: "/docs", title: "docs", icon: BookOpen },
  ];
}
