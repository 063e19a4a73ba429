import { z } from "zod";
import { createLedger, listPrices, type Price, tokensForText } from "../../billing/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { readCategory } from "../categories/categories.ts";
import type { Cluster } from "../categories/clusters.ts";
import { readClusters } from "../categories/keywords.ts";
import { connectionPage } from "../connections/connections.ts";
import type { SeoConnection } from "../connections/shape.ts";
import { debtWords, tooFewWords } from "../orders/token-words.ts";
import type { Whose } from "../people/whose.ts";
import { imagesFor, wordsFor } from "../posts/limits.ts";
import type { PostPlatform } from "../posts/shape.ts";
import type { Said } from "../said.ts";
import { platformNames } from "../settings/platform-names.ts";
import { readSettings } from "../settings/settings.ts";
import { type ContentSettings, type PlatformType, platformTypes } from "../settings/shape.ts";
import { usualWords } from "../settings/usual-words.ts";
import type { SourceName } from "../sources/result.ts";
import type { Sources } from "../sources/sources.ts";
import { missing as missingSource } from "../sources/texts.ts";
import { durations, unitCosts } from "./unit-costs.ts";

const range = z.object({ from: z.number(), to: z.number() });

export const estimateSchema = z
  .object({
    category_id: z.int(),
    platform: z.enum(platformTypes),
    work: z.enum(["article", "social_post"]),
    words: range,
    images: z.int(),
    tokens: range.extend({ about: z.int() }).describe("What the person would be charged"),
    usd: range.describe("What providers usually charge for it: an estimate, not a price"),
    minutes: range.describe("How long it usually takes"),
    balance: z.int(),
    is_free: z.boolean().describe("An administrator, who pays nothing"),
    can_begin: z.boolean().describe("Nothing that is missing prevents it"),
    missing: z.array(
      z.object({
        what: z.enum(["phrases", "article_phrases", "connection", "source", "tokens"]),
        prevents: z.boolean().describe("Without it the work does not begin"),
        message: z.object({ ru: z.string(), en: z.string() }),
      }),
    ),
  })
  .meta({ id: "SeoEstimate" });
export type Estimate = z.infer<typeof estimateSchema>;
type Missing = Estimate["missing"][number];

export interface EstimateDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly sources: Pick<Sources, "isOn">;
  readonly admins: readonly number[];
}

/** What an article or a post of a category would cost, how long it would take and what is missing. Nothing is begun. */
export async function estimateWork(
  { sql, clock, sources, admins }: EstimateDeps,
  whose: Whose,
  categoryId: number,
  platform: PlatformType = "wordpress",
): Promise<Estimate> {
  const { project_id: projectId } = await readCategory(sql, whose, categoryId);
  const [clusters, chosen, prices, connections, balance] = await Promise.all([
    readClusters(sql, whose, categoryId),
    readSettings(sql, whose, categoryId, platform),
    listPrices(sql, whose.workspaceId),
    connectionPage(sql, whose, projectId, { limit: 200 }),
    createLedger(sql, clock).balance(whose.workspaceId, whose.userId),
  ]);
  const work = platform === "wordpress" ? "article" : "social_post";
  const settings = platform === "wordpress" ? chosen : forPost(platform, chosen);
  const isOn = (source: SourceName) => sources.isOn(source);
  const tokens = tokensOf(work, settings, prices);
  const isFree = admins.includes(whose.userId);
  const missing = [
    ...missingPhrases(work, clusters, isOn),
    ...missingConnection(platform, connections.items),
    ...missingSources(work, isOn),
    ...(isFree ? [] : missingTokens(tokens.about, balance ?? 0)),
  ];
  return {
    ...{ category_id: categoryId, platform, work, tokens, missing, images: settings.image.count },
    words: { from: settings.text.words_min, to: settings.text.words_max },
    usd: dollarsOf(work, settings.image.count, isOn),
    minutes: { from: minutes(durations[work].from), to: minutes(durations[work].to) },
    ...{ balance: balance ?? 0, is_free: isFree },
    can_begin: missing.every(({ prevents }) => !prevents),
  };
}

type Work = Estimate["work"];

/** As the post is ordered: a Pin is shorter than the settings allow, and always has one picture. */
function forPost(platform: PostPlatform, { text, image, ...rest }: ContentSettings): ContentSettings {
  const { min, max } = wordsFor(platform, text);
  return { ...rest, text: { ...text, words_min: min, words_max: max }, image: imagesFor(platform, image) };
}

/** Articles are about as long as the middle of what is wanted, posts as the least. */
function tokensOf(work: Work, { text, image }: ContentSettings, prices: readonly Price[]) {
  const tokens = (words: number) => tokensForText(prices, { words, images: image.count });
  return {
    about: tokens(work === "article" ? usualWords(text) : text.words_min),
    from: tokens(text.words_min),
    to: tokens(text.words_max),
  };
}

function dollarsOf(work: Work, images: number, isOn: (source: SourceName) => boolean) {
  const { search, competitors, outline, article, critique, picture, post } = unitCosts;
  const parts =
    work === "article"
      ? [
          ...(isOn("serper") ? [search] : []),
          ...(isOn("serper") && isOn("firecrawl") ? [competitors] : []),
          ...[outline, article, critique],
        ]
      : [post];
  const sum = (end: "from" | "to") => parts.reduce((all, part) => all + part[end], 0) + images * picture[end];
  return { from: cents(sum("from")), to: cents(sum("to")) };
}

const cents = (usd: number) => Math.round(usd * 1_000) / 1_000;
const minutes = (seconds: number) => Math.round(seconds / 6) / 10;

function missingPhrases(
  work: Work,
  clusters: readonly Cluster[],
  isOn: (source: SourceName) => boolean,
): Missing[] {
  if (clusters.length === 0)
    return [
      {
        what: "phrases",
        prevents: true,
        message: {
          ru: "В категории нет ключевых фраз. Добавьте хотя бы одну фразу для генерации контента.",
          en: "The category has no phrases: add one at least (molva seo keywords find, or upload).",
        },
      },
      // Only whoever has to look for phrases needs the source of their volumes.
      ...(isOn("dataforseo") ? [] : [sourceOff("dataforseo")]),
    ];
  if (work === "social_post" || clusters.some(({ cluster_type }) => cluster_type === "article")) return [];
  const message = {
    ru: "В категории нет кластеров для статей. Добавьте информационные фразы.",
    en: "The category has no clusters for articles: add phrases of people who want to know something.",
  };
  return [{ what: "article_phrases", prevents: true, message }];
}

/** A text can be written and read without a place to publish it. */
function missingConnection(platform: PlatformType, connections: readonly SeoConnection[]): Missing[] {
  const here = connections.filter(({ platform_type }) => platform_type === platform);
  if (here.some(({ status }) => status === "active")) return [];
  const name = platformNames[platform];
  const message: Said =
    here.length > 0
      ? {
          ru: `Подключение ${name} не работает. Проверьте его, иначе опубликовать не получится.`,
          en: `The connection to ${name} does not work: check it, or nothing can be published.`,
        }
      : {
          ru: `Проект не подключён к ${name}. Подключите его, чтобы опубликовать.`,
          en: `The project is not connected to ${name}: connect it to publish.`,
        };
  return [{ what: "connection", prevents: false, message }];
}

function missingSources(work: Work, isOn: (source: SourceName) => boolean): Missing[] {
  if (work === "social_post") return [];
  return (["serper", "firecrawl"] as const).filter((source) => !isOn(source)).map(sourceOff);
}

const sourceOff = (source: SourceName): Missing => ({
  ...{ what: "source", prevents: false, message: missingSource(source, "off", "no key is set").message },
});

function missingTokens(needed: number, balance: number): Missing[] {
  if (balance >= needed) return [];
  const message = balance < 0 ? debtWords(balance) : tooFewWords(needed, balance);
  return [{ what: "tokens", prevents: true, message }];
}
