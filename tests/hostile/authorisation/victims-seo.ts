import type { Sql } from "../../../src/kernel/db/index.ts";
import { logPublication } from "../../../src/seo/publications/publications.ts";
import { aCategory, aCluster, aDraft, aProject } from "../../../src/seo/testing/builders.ts";

/** What SEO Master holds for the person: one of each, by the names that paths have for them. */
export async function aVictimOfSeo(
  sql: Sql,
  workspaceId: string,
  mark: string,
  userId: number,
): Promise<Record<string, string>> {
  const whose = { workspaceId, userId };
  await sql`select seo.meet_user(${workspaceId}, ${userId}, ${mark}, ${mark}, null, 'ru', null, false, now())`;
  const projectId = await aProject(sql, whose, mark);
  const categoryId = await aCategory(sql, whose, { projectId, keywords: [aCluster(mark)] });
  const [connection] = await sql<[{ id: number }]>`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier)
    values (${workspaceId}, ${projectId}, 'telegram', 'seo-1', ${mark}) returning id`;
  await sql`
    insert into seo.platform_schedules
      (workspace_id, category_id, platform_type, connection_id, schedule_days, schedule_times, posts_per_day, created_at)
    values (${workspaceId}, ${categoryId}, 'telegram', ${connection.id}, '{tue}', '{11:00}', 1, now())`;
  const [run] = await sql<[{ id: string }]>`
    insert into seo.runs (workspace_id, user_id, kind, input, category_id)
    values (${workspaceId}, ${userId}, 'article', ${sql.json({ mark })}, ${categoryId}) returning id`;
  await sql`
    insert into seo.project_styles (workspace_id, project_id, features)
    values (${workspaceId}, ${projectId}, ${sql.json(someFeatures(mark))})`;
  const [post] = await sql<[{ id: string }]>`
    insert into seo.runs (workspace_id, user_id, kind, input, category_id)
    values (${workspaceId}, ${userId}, 'social_post', ${sql.json({ mark })}, ${categoryId}) returning id`;
  const publication = await logPublication(
    sql,
    whose,
    {
      project_id: projectId,
      platform_type: "telegram",
      content_type: "social_post",
      keyword: mark,
      status: "success",
    },
    new Date(),
  );
  const preview = await aDraft(sql, whose, categoryId, { run: run.id, tokens: 10 });
  const file = { file_id: mark, type: "photo", file_size: 1, uploaded_at: "2026-11-15T12:00:00Z" };
  await sql`
    update seo.categories set media = ${sql.json([file])} where workspace_id = ${workspaceId} and id = ${categoryId}`;
  await sql`
    insert into seo.search_archives (workspace_id, project_id, engine, site, property, read_at)
    values (${workspaceId}, ${projectId}, 'google', ${mark}, ${mark}, now())`;
  await sql`
    insert into seo.audit_scores (workspace_id, project_id, audited_at, performance) values (${workspaceId}, ${projectId}, now(), 50)`;
  await sql`
    insert into seo.rank_checks (workspace_id, publication_id, checked_at, position, depth)
    values (${workspaceId}, ${publication}, now(), 7, 30)`;
  const [broadcast] = await sql<[{ id: number }]>`
    insert into seo.broadcasts (workspace_id, audience, text, created_at) values (${workspaceId}, 'all', ${mark}, now()) returning id`;
  return {
    "broadcasts.broadcast_id": String(broadcast.id),
    "projects.project_id": String(projectId),
    "categories.category_id": String(categoryId),
    "connections.connection_id": String(connection.id),
    "publications.publication_id": String(publication),
    "previews.preview_id": String(preview),
    "media.file_id": mark,
    "images.run_id": run.id,
    "runs.run_id": run.id,
    "articles.run_id": run.id,
    "posts.run_id": post.id,
    "texts.run_id": run.id,
  };
}

/** A style guide whose favourite word is the mark. */
const someFeatures = (mark: string) => ({
  ...{ texts: 3, words: 300, sentence_words: 10, sentence_variation: 0.5, paragraph_words: 40 },
  ...{ questions: 0.1, exclamations: 0, lists: 0, emoji: 0, we: 1, you: 1, address: "вы", formality: 0 },
  ...{ tone: "neutral", favourite_words: [mark] },
});
