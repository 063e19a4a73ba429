import type { LossLog } from "../../content/index.ts";
import type { CompiledRequest, Outcome, SendContext } from "../contract.ts";
import { type Line, withoutDoubt } from "./client.ts";
import { brandedHtml, escapeHtml, figureHtml, jsonLdHtml, picturePlaces } from "./html.ts";
import type { Page } from "./page.ts";
import { shelve } from "./pictures.ts";
import { yoastMeta } from "./seo.ts";
import type { Site } from "./site.ts";
import { termIds } from "./terms.ts";
import type { LibraryPicture } from "./upload.ts";

/** What writing a page needs. */
export interface Writing {
  readonly site: Site;
  readonly line: Line;
  readonly context: SendContext;
  readonly losses: LossLog;
}

export interface WrittenPage {
  readonly json: Readonly<Record<string, unknown>>;
  readonly featuredId: number;
}

/** The page as the site accepts it: with ids of its terms, uploaded pictures, and the delivery's marker at its end. */
export async function pageJson(
  page: Page,
  { media }: Pick<CompiledRequest, "media">,
  { marker, publishedAt }: { readonly marker: string; readonly publishedAt: string },
  writing: Writing,
): Promise<WrittenPage | Extract<Outcome, { kind: "failed" }>> {
  const { site, line, context, losses } = writing;
  const categories = await termIds("categories", page.categories ?? [], line);
  if ("kind" in categories) return withoutDoubt(categories);
  const tags = await termIds("tags", page.tags ?? [], line);
  if ("kind" in tags) return withoutDoubt(tags);
  if (categories.missing || tags.missing) losses.add("labels_left_out");

  const library = await shelve(media, page, site, { line, context });
  if ("error" in library) return { kind: "failed", error: library.error };
  if (library.waited) await context.turn?.();

  const { pictures } = library;
  const featured = page.featured === undefined ? undefined : pictures[page.featured];
  const meta = page.seo ? yoastMeta(page.seo) : {};
  const featuredId = Number(featured?.id ?? 0);
  return {
    featuredId,
    json: {
      title: escapeHtml(page.title),
      content: contentOf(page, pictures, { marker, publishedAt }, writing),
      excerpt: escapeHtml(page.excerpt ?? ""),
      featured_media: featuredId,
      ...(page.categories && { categories: categories.ids }),
      ...(page.tags && { tags: tags.ids }),
      ...(Object.keys(meta).length > 0 && { meta }),
    },
  };
}

function contentOf(
  page: Page,
  pictures: readonly LibraryPicture[],
  { marker, publishedAt }: { readonly marker: string; readonly publishedAt: string },
  { site, losses }: Writing,
): string {
  const shown = page.content.replace(picturePlaces, (_, place: string) => {
    const picture = pictures[Number(place)];
    const said = page.pictures?.[Number(place)];
    return picture ? figureHtml({ ...picture, alt: said?.alt, captionHtml: said?.caption }) : "";
  });
  const objects = structuredData(page, pictures, publishedAt);
  // For users who may not write scripts and styles WordPress strips the tags, and their text would be visible.
  const mayScript = site.member.capabilities.has("unfiltered_html");
  if (objects.length > 0 && !mayScript) losses.add("scripts_left_out");
  if (page.brand && !mayScript) losses.add("brand_colours");
  const coloured = page.brand && mayScript ? brandedHtml(shown, page.brand) : shown;
  const parts = [coloured, ...(objects.length > 0 && mayScript ? [jsonLdHtml(objects)] : []), marker];
  return parts.filter((part) => part !== "").join("\n\n");
}

type Thing = Readonly<Record<string, unknown>>;

const articleTypes: ReadonlySet<unknown> = new Set(["Article", "BlogPosting", "NewsArticle", "TechArticle"]);

/**
 * The article's own objects, and one of the channel's type if it has none. What an object of an article does not say of pictures
 * and its day, only the site knows.
 */
function structuredData(
  { json_ld = [], schema_type, title, excerpt }: Page,
  pictures: readonly LibraryPicture[],
  datePublished: string,
): readonly Thing[] {
  const known: Thing = {
    ...(pictures.length > 0 && { image: pictures.map(({ url }) => url) }),
    datePublished,
  };
  const given = json_ld.map((object) =>
    articleTypes.has(object["@type"]) ? { ...object, ...missingOf(known, object) } : object,
  );
  const has = json_ld.some((object) => object["@type"] === schema_type);
  if (schema_type === undefined || has) return given;
  const own: Thing = {
    "@context": "https://schema.org",
    "@type": schema_type,
    headline: title,
    ...(excerpt && { description: excerpt }),
    ...known,
  };
  return [...given, own];
}

const missingOf = (known: Thing, object: Thing): Thing =>
  Object.fromEntries(Object.entries(known).filter(([name]) => !(name in object)));
