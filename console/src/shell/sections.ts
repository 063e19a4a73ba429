/** The navigation and the pages. A new page is one line here; its code loads when it is first opened. */
import {
  BellRing,
  BookOpen,
  Boxes,
  CalendarDays,
  CircleUserRound,
  DoorOpen,
  FileCode2,
  FilePenLine,
  Gauge,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  MonitorSmartphone,
  Newspaper,
  PenLine,
  Radio,
  Rss,
  ScrollText,
  Users,
  Webhook,
} from "lucide-react";
import type { Scope, Session } from "../api/index.ts";
import { paramsOf } from "../router/index.ts";
import type { Texts } from "../texts/index.ts";
import { page, type RoutedPage, workspacePage } from "./lazy-page.tsx";

interface Entry {
  readonly path: string;
  readonly title: keyof Texts["nav"]["sections"];
  readonly icon: LucideIcon;
}

export const groups = ["publishing", "intake", "bots", "office", "own"] as const;
export type Group = (typeof groups)[number];

export interface Section extends Entry {
  readonly group: Group;
  /** Shown to operators who have this scope in the chosen workspace, or in any where none is chosen. */
  readonly needs?: Scope;
  /** The section's own page, then those below it. */
  readonly pages: readonly RoutedPage[];
}

const sections: readonly Section[] = [
  {
    ...{ path: "/", title: "overview", icon: LayoutDashboard, group: "publishing" },
    pages: [workspacePage("/", async () => (await import("../pages/overview/index.ts")).OverviewPage)],
  },
  {
    ...{ path: "/compose", title: "compose", icon: PenLine, group: "publishing", needs: "write" },
    pages: [
      workspacePage("/compose", async () => (await import("../pages/compose/index.ts")).ComposerPage),
      workspacePage(
        "/compose/:draftId",
        async () => (await import("../pages/compose/index.ts")).ComposerPage,
      ),
    ],
  },
  {
    ...{ path: "/drafts", title: "drafts", icon: FilePenLine, group: "publishing", needs: "write" },
    pages: [workspacePage("/drafts", async () => (await import("../pages/compose/index.ts")).DraftsPage)],
  },
  {
    ...{ path: "/posts", title: "posts", icon: Newspaper, group: "publishing" },
    pages: [
      workspacePage("/posts", async () => (await import("../pages/posts/index.ts")).PostsPage),
      workspacePage("/posts/:id", async () => (await import("../pages/posts/index.ts")).PostPage),
      workspacePage("/deliveries", async () => (await import("../pages/posts/index.ts")).DeliveriesPage),
      workspacePage("/deliveries/:id", async () => (await import("../pages/posts/index.ts")).DeliveryPage),
    ],
  },
  {
    ...{ path: "/plan", title: "plan", icon: CalendarDays, group: "publishing", needs: "read" },
    pages: [workspacePage("/plan", async () => (await import("../pages/plan/index.ts")).PlanPage)],
  },
  {
    ...{ path: "/channels", title: "channels", icon: Radio, group: "publishing" },
    pages: [
      workspacePage("/channels", async () => (await import("../pages/channels/index.ts")).ChannelsPage),
      workspacePage("/channels/new", async () => (await import("../pages/channels/index.ts")).NewChannelPage),
      workspacePage(
        "/channels/file",
        async () => (await import("../pages/channels/index.ts")).ChannelFilePage,
      ),
      workspacePage("/channels/:id", async () => (await import("../pages/channels/index.ts")).ChannelPage),
    ],
  },
  {
    ...{ path: "/sources", title: "sources", icon: Rss, group: "intake", needs: "read" },
    pages: [
      workspacePage("/sources", async () => (await import("../pages/sources/index.ts")).SourcesPage),
      workspacePage("/sources/:id", async () => (await import("../pages/sources/index.ts")).SourcePage),
    ],
  },
  {
    ...{ path: "/endpoints", title: "endpoints", icon: DoorOpen, group: "intake" },
    pages: [
      workspacePage("/endpoints", async () => (await import("../pages/endpoints/index.ts")).EndpointsPage),
      workspacePage("/endpoints/:id", async () => (await import("../pages/endpoints/index.ts")).EndpointPage),
    ],
  },
  {
    ...{ path: "/templates", title: "templates", icon: FileCode2, group: "intake", needs: "read" },
    pages: [
      workspacePage("/templates", async () => (await import("../pages/templates/index.ts")).TemplatesPage),
      workspacePage("/templates/:id", async () => (await import("../pages/templates/index.ts")).TemplatePage),
    ],
  },
  {
    ...{ path: "/operators", title: "operators", icon: Users, group: "office", needs: "admin" },
    pages: [
      workspacePage("/operators", async () => (await import("../pages/operators/index.ts")).OperatorsPage),
    ],
  },
  {
    ...{ path: "/alerts", title: "alerts", icon: BellRing, group: "office" },
    pages: [workspacePage("/alerts", async () => (await import("../pages/alerts/index.ts")).AlertsPage)],
  },
  {
    ...{ path: "/webhooks", title: "webhooks", icon: Webhook, group: "office" },
    pages: [
      workspacePage("/webhooks", async () => (await import("../pages/webhooks/index.ts")).WebhooksPage),
      workspacePage("/webhooks/:id", async () => (await import("../pages/webhooks/index.ts")).WebhookPage),
    ],
  },
  {
    ...{ path: "/limits", title: "limits", icon: Gauge, group: "office" },
    pages: [workspacePage("/limits", async () => (await import("../pages/limits/index.ts")).LimitsPage)],
  },
  {
    ...{ path: "/tokens", title: "tokens", icon: KeyRound, group: "office", needs: "admin" },
    pages: [page("/tokens", async () => (await import("../pages/tokens/index.ts")).TokensPage)],
  },
  {
    ...{ path: "/audit", title: "audit", icon: ScrollText, group: "office", needs: "admin" },
    pages: [page("/audit", async () => (await import("../pages/audit/index.ts")).AuditPage)],
  },
  {
    ...{ path: "/workspaces", title: "workspaces", icon: Boxes, group: "office" },
    pages: [page("/workspaces", async () => (await import("../pages/workspaces/index.ts")).WorkspacesPage)],
  },
  {
    ...{ path: "/sessions", title: "sessions", icon: MonitorSmartphone, group: "own" },
    pages: [page("/sessions", async () => (await import("../pages/sessions/index.ts")).SessionsPage)],
  },
  {
    ...{ path: "/account", title: "account", icon: CircleUserRound, group: "own" },
    pages: [page("/account", async () => (await import("../pages/account/index.ts")).AccountPage)],
  },
];

/** The sections that the operator's roles open. */
export function sectionsFor({ scopes }: Pick<Session, "scopes">): readonly Section[] {
  return sections.filter(({ needs }) => needs === undefined || scopes.includes(needs));
}

export interface Found extends RoutedPage {
  readonly section: Section;
  readonly params: Readonly<Record<string, string>>;
}

export function pageAt(path: string, allowed: readonly Section[]): Found | undefined {
  for (const section of allowed) {
    for (const each of section.pages) {
      const params = paramsOf(each.pattern, path);
      if (params) return { ...each, section, params };
    }
  }
  return undefined;
}

/** Pages that somebody else serves; the playground only where twins run. */
export function elsewhere({ playground }: Pick<Session, "playground">): readonly Entry[] {
  return [
    ...(playground ? [{ path: "/playground", title: "playground", icon: MessagesSquare } as const] : []),
    { path: "/docs", title: "docs", icon: BookOpen },
  ];
}
