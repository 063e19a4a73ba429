import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type EarlierPost,
  pageKey,
  type SiteGuard,
  type SitePage,
  siteGuard,
  siteReader,
} from "../links/index.ts";
import type { Whose } from "../people/whose.ts";

/** What is known of a site before an article is written for it. */
export interface KnownSite {
  readonly address: string | null;
  /** The page that serves a phrase already. */
  readonly guard: SiteGuard;
  /** What SEO Master published there, the newest first. */
  readonly posts: readonly EarlierPost[];
  titleOf(url: string): string | undefined;
}

const mostPosts = 1_000;

export interface SiteToKnow {
  readonly projectId: number;
  /** Without a connection all that the project published counts. */
  readonly connectionId: number | null;
  readonly address: string | null;
  /** As far as they are known. */
  readonly pages: readonly SitePage[];
}

/** Reads the project's own publications on the site; its other pages are given. */
export async function readKnownSite(
  sql: Sql | Transaction,
  { workspaceId, userId }: Whose,
  { projectId, connectionId, address, pages }: SiteToKnow,
): Promise<KnownSite> {
  const titles = new Map(pages.map(({ url, title }) => [pageKey(url), title]));
  const titleOf = (url: string) => titles.get(pageKey(url)) || undefined;
  const addressAt = siteReader(address ?? "");
  const rows = await sql<{ keyword: string; post_url: string | null; connection_id: number | null }[]>`
    select l.keyword, l.post_url, l.connection_id from seo.publication_logs l
    where l.workspace_id = ${workspaceId} and l.user_id = ${userId} and l.project_id = ${projectId}
      and l.content_type = 'article' and l.status = 'success' and l.keyword is not null
    order by l.id desc
    limit ${mostPosts}`;
  // A site may have been connected anew: then its address tells.
  const isHere = ({ connection_id, post_url }: (typeof rows)[number]) =>
    connectionId === null ||
    connection_id === connectionId ||
    (connection_id === null && post_url !== null && addressAt(post_url) !== undefined);
  const posts = rows.filter(isHere).map(({ keyword, post_url }): EarlierPost => {
    const title = (post_url === null ? undefined : titleOf(post_url)) ?? keyword;
    return { phrase: keyword, title, ...(post_url !== null && { url: post_url }) };
  });
  return { address, posts, titleOf, guard: siteGuard(pages, posts, { site: address ?? "" }) };
}

/** A site of which nothing is known. */
export const unknownSite: KnownSite = {
  ...{ address: null, posts: [] },
  guard: () => undefined,
  titleOf: () => undefined,
};
