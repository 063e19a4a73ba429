import { z } from "zod";
import type { LossLog } from "../../content/index.ts";
import { call, type Line } from "./client.ts";
import type { Page } from "./page.ts";
import type { Site } from "./site.ts";

type Seo = NonNullable<Page["seo"]>;

/** Search engines' defaults, which need not be sent. */
const usualRobots: ReadonlySet<string> = new Set(["index", "follow"]);

const wantedRobots = ({ robots = [] }: Seo): readonly string[] =>
  robots.filter((word) => !usualRobots.has(word));

/** Yoast's fields. They are sent to every site, since a site silently drops those that it does not register. */
export function yoastMeta(seo: Seo): Record<string, string> {
  const robots = wantedRobots(seo);
  return {
    ...(seo.title && { _yoast_wpseo_title: seo.title }),
    ...(seo.description && { _yoast_wpseo_metadesc: seo.description }),
    ...(seo.focus && { _yoast_wpseo_focuskw: seo.focus }),
    ...(seo.canonical && { _yoast_wpseo_canonical: seo.canonical }),
    ...(robots.includes("noindex") && { "_yoast_wpseo_meta-robots-noindex": "1" }),
    ...(robots.includes("nofollow") && { "_yoast_wpseo_meta-robots-nofollow": "1" }),
  };
}

function rankMathMeta(seo: Seo): Record<string, unknown> {
  const robots = seo.robots ?? [];
  return {
    ...(seo.title && { rank_math_title: seo.title }),
    ...(seo.description && { rank_math_description: seo.description }),
    ...(seo.focus && { rank_math_focus_keyword: seo.focus }),
    ...(seo.canonical && { rank_math_canonical_url: seo.canonical }),
    ...(robots.length > 0 && { rank_math_robots: robots }),
  };
}

/** Sends the fields to Rank Math, if the site has it; returns whether it was sent. */
export async function tellRankMath(seo: Seo, postId: string, site: Site, line: Line): Promise<boolean> {
  if (!site.namespaces.has("rankmath/v1")) return false;
  const json = { objectType: "post", objectID: Number(postId), meta: rankMathMeta(seo) };
  const reply = await call({ method: "POST", route: "/rankmath/v1/updateMeta", json }, z.unknown(), line);
  return reply.kind === "ok";
}

/** Which fields did not reach the site, judged by the meta that it returned after the post was stored. */
export function noteSeoLosses(
  seo: Seo,
  meta: Readonly<Record<string, unknown>>,
  { site, rankMathTold }: { readonly site: Site; readonly rankMathTold: boolean },
  losses: LossLog,
): void {
  if (rankMathTold) return;
  const wanted = Object.entries(yoastMeta(seo));
  const dropped = (key: string) => wanted.some(([name, value]) => name === key && meta[name] !== value);
  const hasPlugin = site.namespaces.has("yoast/v1") || site.namespaces.has("rankmath/v1");
  // Without a plugin, search engines use the page's own title and excerpt.
  if (hasPlugin && ["title", "metadesc", "focuskw"].some((name) => dropped(`_yoast_wpseo_${name}`)))
    losses.add("seo_fields");
  if (dropped("_yoast_wpseo_canonical")) losses.add("original_untold");
  const robots = wantedRobots(seo);
  const told = (word: string) => meta[`_yoast_wpseo_meta-robots-${word}`] === "1";
  if (robots.some((word) => !told(word))) losses.add("robots_untold");
}
