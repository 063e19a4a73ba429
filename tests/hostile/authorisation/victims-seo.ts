import type { Sql } from "../../../src/kernel/db/index.ts";
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
  const [run] = await sql<[{ id: string }]>`
    insert into seo.runs (workspace_id, user_id, kind, input, category_id)
    values (${workspaceId}, ${userId}, 'article', ${sql.json({ mark })}, ${categoryId}) returning id`;
  await sql`
    insert into seo.project_styles (workspace_id, project_id, features)
    values (${workspaceId}, ${projectId}, ${sql.json(someFeatures(mark))})`;
  const [post] = await sql<[{ id: string }]>`
    insert into seo.runs (workspace_id, user_id, kind, input, category_id)
    values (${workspaceId}, ${userId}, 'social_post', ${sql.json({ mark })}, ${categoryId}) returning id`;
  const preview = await aDraft(sql, whose, categoryId, { run: run.id, tokens: 10 });
  const file = { file_id: mark, type: "photo", file_size: 1, uploaded_at: "2026-11-15T12:00:00Z" };
  await sql`
    update seo.categories set media = ${sql.json([file])} where workspace_id = ${workspaceId} and id = ${categoryId}`;
  return {
    "projects.project_id": String(projectId),
    "categories.category_id": String(categoryId),
    "connections.connection_id": String(connection.id),
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
