import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type ArticleResult, articleResult, type StoredPicture } from "../articles/shape.ts";
import { isPostKind, type PostResult, postResult } from "../posts/shape.ts";
import type { NewPublication } from "../publications/shape.ts";
import type { Said } from "../said.ts";
import { platformNames } from "../settings/platform-names.ts";

/** A text that was written to be published: an article or a post. */
export interface Publishable {
  /** What the history keeps of it, however its publication ends. */
  readonly entry: Omit<NewPublication, "project_id" | "status">;
  readonly files: KeptFiles;
  /** Its files stay for a week after it is published: other posts are made from it. */
  readonly isSource: boolean;
  /** Its person may try again what could not be published: its pictures stay for a week. */
  readonly canReopen: boolean;
  /** Told when it could not be published and its tokens were returned. */
  failure(why: Said, tokens: number): Said;
}

/** What is kept for a text outside the database. */
export interface KeptFiles {
  readonly preview: { readonly path: string } | null;
  readonly pictures: readonly StoredPicture[];
}

/** What a run has written so far; undefined if it publishes nothing or has written nothing. */
export async function publishableOf(
  sql: Sql | Transaction,
  workspaceId: string,
  runId: string,
): Promise<Publishable | undefined> {
  const [run] = await sql<{ kind: string; result: unknown }[]>`
    select r.kind, r.result from seo.runs r
    where r.workspace_id = ${workspaceId} and r.id = ${runId} and r.result is not null`;
  if (!run) return undefined;
  if (run.kind === "article") return articleToPublish(articleResult.parse(run.result));
  return isPostKind(run.kind) ? postToPublish(postResult.parse(run.result)) : undefined;
}

export function articleToPublish(result: ArticleResult): Publishable {
  return {
    entry: {
      ...{ platform_type: "wordpress", content_type: "article", keyword: result.article.phrase },
      ...figuresOf(result),
    },
    files: result,
    isSource: false,
    canReopen: true,
    failure: (why) => ({
      ru: `Не удалось опубликовать статью: ${why.ru}. Токены возвращены.`,
      en: `The article could not be published: ${why.en}. The tokens were returned.`,
    }),
  };
}

export function postToPublish(result: PostResult): Publishable {
  const place = `${platformNames[result.platform]}: ${result.target}`;
  return {
    entry: {
      ...{ platform_type: result.platform, content_type: "social_post", keyword: result.phrase },
      ...figuresOf(result),
    },
    files: { preview: null, pictures: result.pictures },
    isSource: true,
    canReopen: false,
    failure: (why, tokens) => ({
      ru: `Не удалось опубликовать в ${place}. ${why.ru}. Токены возвращены: ${tokens}.`,
      en: `It could not be published in ${place}. ${why.en}. Tokens returned: ${tokens}.`,
    }),
  };
}

type Figures = Pick<ArticleResult, "pictures" | "words" | "model" | "ms" | "content_hash" | "prompt_version">;

const figuresOf = ({ pictures, words, model, ms, content_hash, prompt_version }: Figures) => ({
  ...{ images_count: pictures.length, word_count: words, ai_model: model, generation_time_ms: ms },
  content_hash: BigInt(content_hash),
  ...(prompt_version !== null && { prompt_version: `v${prompt_version}` }),
});
