import type { TwinContext } from "../shared/index.ts";
import { textOf } from "./content.ts";
import { limits } from "./limits.ts";
import type { Account, Node, Page } from "./model.ts";

export interface PageShown {
  readonly content: boolean;
  /** The account of the given token; without one, `can_edit` is left out. */
  readonly asker: Account | undefined;
}

export function wirePage(page: Page, { content, asker }: PageShown, context: TwinContext) {
  const image = firstImage(page.content);
  return {
    path: page.path,
    url: urlOf(page, context),
    title: page.title,
    description: descriptionOf(page.content),
    ...(page.authorName !== "" && { author_name: page.authorName }),
    ...(page.authorUrl !== "" && { author_url: page.authorUrl }),
    ...(image !== undefined && { image_url: image }),
    ...(content && { content: page.content }),
    views: viewsOf(page),
    ...(asker && { can_edit: asker.id === page.accountId }),
  };
}

export function urlOf({ path }: Page, { options }: TwinContext): string {
  return `${options.baseUrl}/telegraph/${encodeURIComponent(path)}`;
}

/** All views, or those of hours that begin with `2026-11` and the like. */
export function viewsOf({ views }: Page, hours = ""): number {
  return Object.entries(views).reduce(
    (sum, [hour, count]) => (hour.startsWith(hours) ? sum + count : sum),
    0,
  );
}

/** The first block with text. */
export function descriptionOf(nodes: readonly Node[]): string {
  const first = nodes.map((node) => textOf([node]).trim()).find((text) => text !== "") ?? "";
  return [...first].slice(0, limits.descriptionLength).join("");
}

export function firstImage(nodes: readonly Node[]): string | undefined {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    const found = node.tag === "img" ? node.attrs?.src : firstImage(node.children ?? []);
    if (found !== undefined) return found;
  }
  return undefined;
}
