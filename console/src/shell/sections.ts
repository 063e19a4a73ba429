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
import type { Session, Workspace } from "../api/index.ts";
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
  readonly Page: ComponentType<PageProps>;
}

export const sections: readonly Section[] = [
  { path: "/", title: "overview", icon: LayoutDashboard, Page: OverviewPage },
  { path: "/tokens", title: "tokens", icon: KeyRound, Page: TokensPage },
  { path: "/account", title: "account", icon: CircleUserRound, Page: AccountPage },
];

/** Pages that somebody else serves; the playground only where twins run. */
export function elsewhere({ playground }: Pick<Session, "playground">): readonly Entry[] {
  return [
    ...(playground ? [{ path: "/playground", title: "playground", icon: MessagesSquare } as const] : []),
    { path: "/docs", title: "docs", icon: BookOpen },
  ];
}
