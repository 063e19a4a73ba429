/** What `POST /api/cleanup` does; Molva's own clock calls the same functions, each at its own pace. */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Workshop } from "../parts.ts";
import { expirePosts } from "../posts/expire-posts.ts";
import { purgePublications } from "../publications/purge-publications.ts";
import { expireArticles, forgetPictures } from "../publish/expire-articles.ts";
import { expireTexts } from "../texts/expire-texts.ts";

export interface CleanUpJobDeps extends Pick<Workshop, "runs" | "articles" | "cleanUp"> {
  readonly sql: Sql;
  readonly clock: Clock;
}

/** Expired previews with their refunds, pictures that nobody needs, old logs. Repeating it does no harm. */
export async function cleanUpJob({ sql, clock, runs, articles, cleanUp }: CleanUpJobDeps) {
  const articlesExpired = await expireArticles({ ...articles, runs, cleanUp });
  const postsExpired = await expirePosts({ ...articles, runs, cleanUp });
  const textsExpired = await expireTexts({ sql, clock, runs });
  await forgetPictures(articles);
  const logsPurged = await purgePublications({ sql, clock });
  return {
    ...{ status: "done", articles_expired: articlesExpired, posts_expired: postsExpired },
    ...{ texts_expired: textsExpired, logs_purged: logsPurged },
  };
}
