import { createLedger } from "../../billing/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { addCategory } from "../categories/categories.ts";
import { meet } from "../people/people.ts";
import type { Whose } from "../people/whose.ts";
import { addPreview } from "../previews/previews.ts";
import { addProject } from "../projects/projects.ts";

const deps = (sql: Sql) => ({ sql, clock: systemClock, admins: [] });

let nextUser = 700;

/** A person in a workspace. */
export async function aSeoUser(sql: Sql, workspaceId?: string): Promise<Whose> {
  nextUser += 1;
  const whose = { workspaceId: workspaceId ?? (await aWorkspace(sql)), userId: nextUser };
  await meet(deps(sql), whose, { firstName: "Анна" });
  return whose;
}

export async function aProject(sql: Sql, whose: Whose, name = "Мебель на заказ"): Promise<number> {
  const fields = { name, company_name: "Дубрава", specialization: "кухни и шкафы на заказ" };
  return (await addProject(deps(sql), whose, fields)).id;
}

/** A category with keywords as they stand in the database. */
export async function aCategory(
  sql: Sql,
  whose: Whose,
  { projectId, keywords = [] }: { projectId?: number; keywords?: readonly unknown[] } = {},
): Promise<number> {
  const project = projectId ?? (await aProject(sql, whose));
  const { id } = await addCategory(deps(sql), whose, project, { name: "Кухни" });
  await sql`
    update seo.categories set keywords = ${JSON.stringify(keywords)}::text::jsonb
    where workspace_id = ${whose.workspaceId} and id = ${id}`;
  return id;
}

/** A cluster as the document has it. */
export function aCluster(mainPhrase: string, volume = 100, given: object = {}) {
  return {
    ...{ cluster_name: mainPhrase, cluster_type: "article", main_phrase: mainPhrase },
    ...{ total_volume: volume, avg_difficulty: 20 },
    phrases: [
      { phrase: mainPhrase, volume, difficulty: 20, cpc: 1, intent: "informational", ai_suggested: false },
    ],
    ...given,
  };
}

/** A draft whose tokens are held under its run. */
export async function aDraft(
  sql: Sql,
  whose: Whose,
  categoryId: number,
  { run = `article-${categoryId}`, tokens = 320, now = systemClock.now() } = {},
): Promise<number> {
  const clock = { now: () => now };
  const held = await createLedger(sql, clock).hold({
    ...{ workspaceId: whose.workspaceId, userId: whose.userId, run, step: "text" },
    ...{ operation: "text_generation", tokens },
  });
  if (!held.ok) throw new Error("the person of the test is poor");
  return addPreview(
    { sql, clock },
    whose,
    { categoryId, run },
    {
      ...{ title: "Как выбрать кухню", keyword: "кухня на заказ", word_count: 1_800, tokens_charged: tokens },
      ...{
        content_html: "<h2>Кухня</h2>",
        images: [{ url: "https://x/1.webp", storage_path: "1.webp", width: 8, height: 8 }],
      },
    },
  );
}
