import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Cluster, clusterSchema } from "../categories/clusters.ts";
import type { Whose } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import type { Said } from "../said.ts";
import type { ContentType } from "./shape.ts";

/** The cluster that a run works on, or why it gets none. */
export type Reserved =
  | {
      readonly outcome: "reserved";
      readonly cluster: Cluster;
      /** All were used within the last seven days: this one the longest ago. */
      readonly reused: boolean;
      /** What to tell with the result. */
      readonly advice: readonly Said[];
    }
  | {
      readonly outcome: "no_phrases" | "no_articles" | "all_reserved" | "all_excluded";
      readonly said: Said;
    };

export interface PhraseWanted {
  readonly categoryId: number;
  readonly contentType: ContentType;
  /** The run that reserves; it gets the same cluster again. */
  readonly run: string;
  /** Main phrases that are not wanted, such as those that a page of the site serves already. */
  readonly except?: readonly string[] | undefined;
}

/** Takes the next cluster of a category for a run; no other run of this kind gets it until it is released. */
export async function reservePhrase(
  sql: Sql | Transaction,
  { workspaceId, userId }: Whose,
  { categoryId, contentType, run, except = [] }: PhraseWanted,
  now: Date,
): Promise<Reserved> {
  const [row] = await sql<[Record<"outcome" | "cluster" | "reused" | "choices", unknown>]>`
    select outcome, cluster, reused, choices
    from seo.reserve_phrase(${workspaceId}, ${userId}, ${categoryId}, ${contentType}, ${run}, ${[...except]}::text[], ${now})`;
  const answer = answerSchema.parse(row);
  if (answer.outcome === "not_found") throw notFound("category", categoryId);
  if (answer.outcome !== "reserved") return { outcome: answer.outcome, said: refusals[answer.outcome] };
  const { cluster, reused, choices } = answer;
  const isFew = contentType === "article" && choices < 3;
  return {
    ...{ outcome: "reserved", cluster, reused },
    advice: [...(reused ? [reusedWords(cluster.main_phrase)] : []), ...(isFew ? [few] : [])],
  };
}

/** The run has ended, however. */
export async function releasePhrases(
  sql: Sql | Transaction,
  workspaceId: string,
  run: string,
): Promise<void> {
  await sql`select seo.release_phrases(${workspaceId}, ${run})`;
}

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("reserved"), cluster: clusterSchema, reused: z.boolean(), choices: z.int() }),
  z.object({ outcome: z.enum(["not_found", "no_phrases", "no_articles", "all_reserved", "all_excluded"]) }),
]);

const refusals = {
  no_phrases: {
    ru: "В категории нет ключевых фраз. Добавьте хотя бы одну фразу для генерации контента.",
    en: "The category has no phrases: add at least one to generate content.",
  },
  no_articles: {
    ru: "В категории нет кластеров для статей. Добавьте информационные фразы.",
    en: "The category has no clusters for articles: add informational phrases.",
  },
  all_reserved: {
    ru: "По всем фразам категории уже идёт работа. Дождитесь, пока она закончится, или добавьте ещё фраз.",
    en: "All phrases of the category are being worked on: wait until that has ended, or add phrases.",
  },
  all_excluded: {
    ru: "Все фразы категории уже заняты страницами сайта. Добавьте ещё фраз.",
    en: "Pages of the site serve all phrases of the category already: add more.",
  },
} as const satisfies Record<string, Said>;

function reusedWords(phrase: string): Said {
  return {
    ru: `Все кластеры использованы за последние 7 дней. Используем кластер «${phrase}» повторно.`,
    en: `All clusters were used within the last 7 days. The cluster “${phrase}” is used again.`,
  };
}

const few: Said = {
  ru: "Добавьте ещё ключевых фраз для разнообразия контента.",
  en: "Add more phrases for a variety of content.",
};
