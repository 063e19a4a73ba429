import { afterAll, beforeAll, expect, it } from "vitest";
import { type ArticleHarness, startArticles } from "../../../tests/support/seo-articles.ts";
import { articleRun } from "../articles/article-run.ts";
import { articleResult } from "../articles/shape.ts";
import { cancelArticle } from "../publish/decide-article.ts";
import { readRun } from "../runs/read-runs.ts";
import { notePromptQualities } from "./note-quality.ts";

let world: ArticleHarness;
beforeAll(async () => {
  world = await startArticles();
  await world.clean();
});
afterAll(() => world.close());

it("a version of a prompt has the success and the mean score of its runs; one without runs has none", async () => {
  const { sql, clock } = world;
  const { whose, categoryId } = await world.aBusiness();
  const first = await world.written(whose, categoryId);
  const second = await world.written(whose, categoryId);
  await cancelArticle(world.deciding, whose, second.run_id);
  // The third comes to nothing: its text is refused.
  const { gateway } = world.deps;
  const broken = world.runsOf(
    articleRun({
      ...world.deps,
      gateway: {
        ...gateway,
        async object(ask) {
          const answered = await gateway.object(ask);
          if (ask.policy !== "seo_article" || !answered.ok) return answered;
          return { ok: false, meta: answered.meta, error: { code: "invalid_answer", message: "не то" } };
        },
      },
    }),
  );
  const { run_id } = await world.order(whose, categoryId);
  await world.perform(whose, run_id, broken);
  expect((await readRun(sql, whose.workspaceId, run_id)).status).toBe("failed");
  await world.gateway.gateway.settled();

  expect(await notePromptQualities({ sql, clock })).toBeGreaterThan(4);
  const versions = await sql<{ name: string; success_rate: number | null; avg_quality: number | null }[]>`
    select name, success_rate::float8, avg_quality::float8 from llm.prompt_versions
    where workspace_id = ${whose.workspaceId} and is_active`;
  const of = (name: string) => versions.find((version) => version.name === name);
  const scores = [first, second].map(({ result }) => articleResult.parse(result).score.total);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const quality = { success_rate: 66.67, avg_quality: Math.round(mean * 10) / 10 };
  expect(of("seo_article")).toMatchObject(quality);
  expect(of("seo_article_outline")).toMatchObject(quality);
  // A picture is not what the text's score is about, and was never drawn for the third.
  expect(of("seo_image")).toMatchObject({ success_rate: 100, avg_quality: null });
  expect(of("seo_review")).toMatchObject({ success_rate: null, avg_quality: null });
});
