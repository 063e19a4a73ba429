import { gmtDate } from "./dates.ts";
import type { Post, Site } from "./model.ts";
import { plainText, renderExcerpt, renderTitle } from "./text/render.ts";
import { homeOf, type WordPress } from "./twin.ts";

/** What search engines see of a post, from the meta that an SEO plugin would read. */
export interface Seo {
  readonly title: string;
  readonly description: string;
  readonly canonical: string;
  readonly noindex: boolean;
}

export function seoOf({ options }: Site, post: Post, link: string): Seo {
  const text = (key: string) => (typeof post.meta[key] === "string" ? post.meta[key] : "");
  const yoast =
    options.plugins.includes("yoast") || options.registeredMeta.some((key) => key.startsWith("_yoast"));
  const rank = options.plugins.includes("rankmath");
  const pick = (...keys: (string | false)[]) => keys.map((key) => key && text(key)).find(Boolean) || "";
  const robots = post.meta.rank_math_robots;
  return {
    title:
      pick(rank && "rank_math_title", yoast && "_yoast_wpseo_title") || plainText(renderTitle(post.title)),
    description:
      pick(rank && "rank_math_description", yoast && "_yoast_wpseo_metadesc") ||
      plainText(renderExcerpt(post.excerpt, post.content)).slice(0, 160),
    canonical: pick(rank && "rank_math_canonical_url", yoast && "_yoast_wpseo_canonical") || link,
    noindex:
      (Array.isArray(robots) ? robots : [robots]).includes("noindex") ||
      text("_yoast_wpseo_meta-robots-noindex") === "1",
  };
}

export function schemaOf(wordpress: WordPress, site: Site, post: Post, seo: Seo, image?: string) {
  return {
    "@context": "https://schema.org",
    "@type": "Article",
    headline: plainText(post.title),
    description: seo.description,
    datePublished: `${gmtDate(post.date)}+00:00`,
    dateModified: `${gmtDate(post.modified)}+00:00`,
    mainEntityOfPage: seo.canonical,
    ...(image && { image }),
    author: { "@type": "Person", name: site.users.find(({ id }) => id === post.author)?.name ?? "" },
    publisher: { "@type": "Organization", name: site.options.title, url: homeOf(wordpress, site) },
  };
}

/** Yoast's read-only view; writing goes through registered meta. */
export function yoastHead(wordpress: WordPress, site: Site, post: Post, link: string) {
  const seo = seoOf(site, post, link);
  return {
    yoast_head_json: {
      title: seo.title,
      description: seo.description,
      robots: { index: seo.noindex ? "noindex" : "index", follow: "follow" },
      canonical: seo.canonical,
      og_locale: site.options.locale,
      og_type: "article",
      og_title: seo.title,
      og_description: seo.description,
      og_url: seo.canonical,
      og_site_name: site.options.title,
      schema: { "@context": "https://schema.org", "@graph": [schemaOf(wordpress, site, post, seo)] },
    },
  };
}
