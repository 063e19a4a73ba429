import { Problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { factsOf } from "../articles/read-brief.ts";
import { readBranding } from "../audits/audits.ts";
import { readCategory } from "../categories/categories.ts";
import { readPrices } from "../categories/lists.ts";
import type { SeoConnection } from "../connections/shape.ts";
import { detectNiche } from "../niches/index.ts";
import type { Whose } from "../people/whose.ts";
import { readProject } from "../projects/projects.ts";
import { reservePhrase } from "../publications/rotation.ts";
import { connectionOf, type LiveConnection } from "../publish/publish-run.ts";
import { RunFailure } from "../runs/run-failure.ts";
import type { RunScope } from "../runs/run-kind.ts";
import { readSettings } from "../settings/settings.ts";
import { stylesOf } from "../settings/shape.ts";
import { styleGuideFor } from "../styleguide/index.ts";
import { imagesFor, wordsFor } from "./limits.ts";
import { type PostBrief, type PostOrder, type PostPlatform, postPlatforms } from "./shape.ts";
import { failures, places } from "./words.ts";

/** Everything that is known when the writing begins. Later changes of the project do not reach the post. */
export function readPostBrief(sql: Sql, run: RunScope, order: PostOrder, now: Date): Promise<PostBrief> {
  return unlessDeleted(() => briefOf(sql, run, order, now), deletedMeanwhile);
}

/** What was deleted before the run began ends it, and its tokens go back. */
export const deletedMeanwhile = () => new RunFailure("deleted", failures.deleted);

/** Throws this error instead if something is gone that the order names. */
export async function unlessDeleted<T>(read: () => Promise<T>, gone: () => Error): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") throw gone();
    throw error;
  }
}

async function briefOf(sql: Sql, run: RunScope, order: PostOrder, now: Date): Promise<PostBrief> {
  const { project_id: projectId, category_id: categoryId } = order;
  const { platform, ...connection } = await postPlace(sql, run, order);
  const [project, category, settings, branding, prices, styleGuide] = await Promise.all([
    readProject(sql, run, projectId),
    readCategory(sql, run, categoryId),
    readSettings(sql, run, categoryId, platform),
    readBranding(sql, run, projectId),
    readPrices(sql, run, categoryId),
    styleGuideFor(sql, run, projectId),
  ]);
  const wanted = { categoryId, contentType: "social_post", run: run.runId } as const;
  const reserved = await reservePhrase(sql, run, wanted, now);
  if (reserved.outcome !== "reserved") throw new RunFailure(reserved.outcome, reserved.said);
  const { primary, accent, background } = branding?.colors ?? {};
  return {
    ...{ platform, target: nameOf(connection), words: wordsFor(platform, settings.text) },
    company: {
      ...{ name: project.company_name, specialization: project.specialization },
      ...{ city: project.company_city ?? "", advantages: project.advantages ?? "" },
      facts: [...factsOf(project), ...(category.description ? [category.description] : [])],
    },
    prices: prices.map(({ name, price }) => ({ name, price })),
    brand: {
      ...{ primary: primary ?? undefined, accent: accent ?? undefined, background: background ?? undefined },
    },
    niche: detectNiche(project.specialization),
    site: project.website_url,
    phrase: reserved.cluster.main_phrase,
    styles: stylesOf(settings.text).join(", "),
    style_guide: styleGuide,
    image: imagesFor(platform, settings.image),
    advice: [...reserved.advice],
  };
}

/** The connection a post goes to: the person's own, of the same project and of a platform of posts. */
export async function postPlace(
  sql: Sql | Transaction,
  whose: Whose,
  order: Pick<PostOrder, "project_id" | "connection_id">,
): Promise<LiveConnection & { readonly platform: PostPlatform }> {
  const connection = await connectionOf(sql, whose, order, postPlatforms, places);
  const platform = postPlatforms.find((each) => each === connection.platform_type);
  if (!platform) throw new Error(`${connection.platform_type} takes no posts`);
  return { ...connection, platform };
}

export const nameOf = ({ title, identifier }: Pick<SeoConnection, "title" | "identifier">) =>
  title ?? identifier;
