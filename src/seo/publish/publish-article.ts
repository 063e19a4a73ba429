import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { nowhere, renderPage } from "../articles/render-page.ts";
import type { ArticleOrder, ArticleResult } from "../articles/shape.ts";
import { type SiteMetadata, siteMetadataOf } from "../connections/site-metadata.ts";
import type { Whose } from "../people/whose.ts";
import { type PictureFile, toArticle } from "../render/index.ts";
import { address, connectionOf, keepPictures, type PublishDeps, publishOrEnd } from "./publish-run.ts";
import { articleToPublish } from "./publishable.ts";

/** Copies the pictures of an article to the media of deliveries. */
export function pictureFiles(
  deps: PublishDeps & { readonly sql: Sql },
  whose: { readonly workspaceId: string; readonly runId: string },
  { pictures, article }: ArticleResult,
): Promise<(PictureFile | undefined)[]> {
  const { images } = renderPage(article, pictures.map(nowhere));
  return keepPictures(deps, whose, pictures, (index) => images[index]?.filename);
}

export interface ToPublish {
  readonly whose: Whose;
  readonly runId: string;
  readonly order: ArticleOrder;
  readonly result: ArticleResult;
  readonly files: readonly (PictureFile | undefined)[];
  /** A person waits for it until then. */
  readonly waitUntil?: Date | undefined;
}

/** Publishes to the connection of the order; throws if the post cannot be published there. */
export async function publishTo(
  deps: PublishDeps & { readonly sql: Transaction },
  { whose, runId, order, result, files, waitUntil }: ToPublish,
): Promise<void> {
  const connection = await siteOf(deps.sql, whose, order);
  const { channel_id: channelId } = connection;
  const payload = payloadOf(result, files, siteMetadataOf(connection));
  await address(deps, { whose, runId, place: order, channelId, payload, waitUntil });
}

/** The article as a post. */
export function payloadOf(
  result: ArticleResult,
  files: readonly (PictureFile | undefined)[],
  site: SiteMetadata,
) {
  // A picture whose file is gone is left out together with its place.
  const kept = result.pictures.flatMap((picture, index) => (files[index] ? [{ picture, index }] : []));
  const rendered = renderPage(
    { ...result.article, images_meta: kept.map(({ index }) => result.article.images_meta[index] ?? null) },
    kept.map(({ picture }) => nowhere(picture)),
    site.schema_type,
  );
  return toArticle(rendered, {
    ...{ description: result.article.description, focusKeyword: result.article.phrase },
    ...{ categories: site.categories, tags: site.tags, canonicalSite: site.canonical, robots: site.robots },
    fileOf: (index) => files[kept[index]?.index ?? -1] ?? { url: "" },
  });
}

/** The same at the end of a run that nobody reviews: what cannot be published ends the run here. */
export function publishInto(
  deps: PublishDeps & { readonly sql: Transaction },
  given: ToPublish,
): Promise<void> {
  const { whose, runId, order: place, result } = given;
  const work = articleToPublish(result);
  return publishOrEnd(deps, { whose, runId, place, work, gone: words.disconnected }, (inner) =>
    publishTo({ ...deps, sql: inner }, given),
  );
}

/** The connection an article goes to: a site of the person's own, in the project of the article. */
export const siteOf = (
  sql: Sql | Transaction,
  whose: Whose,
  order: Pick<ArticleOrder, "project_id" | "connection_id">,
) => connectionOf(sql, whose, order, ["wordpress"], words);

const words = {
  none: {
    ru: "Для публикации нужен WordPress-сайт. Подключите его и опубликуйте статью.",
    en: "A WordPress site is needed to publish: connect one and publish the article.",
  },
  other: {
    ru: "Статью можно опубликовать на сайте WordPress этого же проекта.",
    en: "An article can be published on a WordPress site of the same project.",
  },
  disconnected: {
    ru: "Сайт отключён. Подключите его заново.",
    en: "The site is disconnected: connect it again.",
  },
};
