import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { consequencesOf } from "../projects/delete.ts";
import { readProject } from "../projects/projects.ts";
import { aCategory, aCluster, aProject, aSeoUser } from "../testing/builders.ts";
import { isLikePublished } from "./like-published.ts";
import { logPublication, publicationPage } from "./publications.ts";
import { purgePublications } from "./purge-publications.ts";
import { reservePhrase } from "./rotation.ts";
import type { NewPublication } from "./shape.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const now = new Date("2026-11-15T12:00:00Z");
const clock = { now: () => now };
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

// covers seo: E46
it("publications older than 90 days go, once; rotation, the search for copies and statistics still know them", async () => {
  const { sql } = database;
  const whose = await aSeoUser(sql);
  const projectId = await aProject(sql, whose);
  const keywords = [aCluster("старая", 900), aCluster("свежая", 500), aCluster("новая", 100)];
  const categoryId = await aCategory(sql, whose, { projectId, keywords });
  const log = (days: number, given: Partial<NewPublication>) =>
    logPublication(
      sql,
      whose,
      {
        ...{
          project_id: projectId,
          category_id: categoryId,
          platform_type: "wordpress",
          content_type: "article",
        },
        ...{ status: "success", images_count: 4, word_count: 1_500, tokens_spent: 270, ...given },
      },
      daysAgo(days),
    );
  const copied = 0x0123456789abcdefn;
  await log(91, { keyword: "старая", content_hash: copied });
  await log(120, { keyword: "старая", content_hash: -0x7fffffffffffffffn });
  await log(121, { status: "failed", error_message: "сайт не отвечает" });
  await log(300, { content_type: "social_post", platform_type: "vk" });
  await log(89, { keyword: "старая" });
  await log(2, { keyword: "свежая", content_hash: 0x5555555555555555n });

  const known = async () => ({
    publications: (await readProject(sql, whose, projectId)).publications,
    lost: (await consequencesOf(sql, { whose, projectId })).publications,
    inCategory: (await consequencesOf(sql, { whose, projectId, categoryId })).publications,
    copied: await isLikePublished(sql, whose, copied ^ 1n),
    copiedLater: await isLikePublished(sql, whose, 0x5555555555555555n),
    other: await isLikePublished(sql, whose, 0x00ff00ff00ff00ffn),
  });
  const before = await known();
  expect(before).toEqual({
    ...{ publications: 5, lost: 6, inCategory: 6 },
    ...{ copied: true, copiedLater: true, other: false },
  });

  expect(await purgePublications({ sql, clock })).toBe(4);
  expect(await purgePublications({ sql, clock })).toBe(0);
  expect((await publicationPage(sql, whose)).items).toHaveLength(2);
  expect(await known()).toEqual(before);
  const totals = await sql`
    select month::text, content_type, status, publications, images::int, words::int, tokens::int from seo.publication_totals
    where workspace_id = ${whose.workspaceId} order by month, status`;
  expect([...totals]).toEqual([
    {
      ...{ month: "2026-01-01", content_type: "social_post", status: "success" },
      ...{ publications: 1, images: 4, words: 1_500, tokens: 270 },
    },
    {
      ...{ month: "2026-07-01", content_type: "article", status: "failed" },
      ...{ publications: 1, images: 4, words: 1_500, tokens: 270 },
    },
    {
      ...{ month: "2026-07-01", content_type: "article", status: "success" },
      ...{ publications: 1, images: 4, words: 1_500, tokens: 270 },
    },
    {
      ...{ month: "2026-08-01", content_type: "article", status: "success" },
      ...{ publications: 1, images: 4, words: 1_500, tokens: 270 },
    },
  ]);
  // The phrase of two days ago rests; the one of three months ago has its turn again.
  const turn = async (run: string) => {
    const wanted = { categoryId, contentType: "article", run } as const;
    const reserved = await reservePhrase(sql, whose, wanted, now);
    return reserved.outcome === "reserved" ? reserved.cluster.main_phrase : reserved.outcome;
  };
  expect([await turn("a"), await turn("b"), await turn("c")]).toEqual(["старая", "новая", "свежая"]);

  // More of the same month add up.
  await log(91, { keyword: "старая" });
  await purgePublications({ sql, clock });
  const [august] = await sql<[{ publications: number; words: number }]>`
    select publications, words::int from seo.publication_totals
    where workspace_id = ${whose.workspaceId} and month = '2026-08-01'`;
  expect(august).toEqual({ publications: 2, words: 3_000 });
});
