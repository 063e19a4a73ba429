import { type ComponentType, lazy } from "react";
import type { Session, Workspace } from "../api/index.ts";
import { NoWorkspace } from "./no-workspace.tsx";

export interface PageProps {
  readonly session: Session;
  /** The workspace chosen in the top bar; absent when the operator has none. */
  readonly workspace: Workspace | undefined;
  /** The variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** For pages that make no sense without a workspace. */
export interface WorkspacePageProps extends PageProps {
  readonly workspace: Workspace;
}

export interface RoutedPage {
  readonly pattern: string;
  readonly Page: ComponentType<PageProps>;
}

/** A page whose code loads when it is first opened. */
export function page(pattern: string, load: () => Promise<ComponentType<PageProps>>): RoutedPage {
  return { pattern, Page: lazy(async () => ({ default: await load() })) };
}

/** The same for a page of one workspace; without one it says how to get one. */
export function workspacePage(
  pattern: string,
  load: () => Promise<ComponentType<WorkspacePageProps>>,
): RoutedPage {
  return page(pattern, async () => {
    const Page = await load();
    return ({ workspace, ...rest }) =>
      workspace ? <Page key={workspace.id} {...rest} workspace={workspace} /> : <NoWorkspace />;
  });
}
