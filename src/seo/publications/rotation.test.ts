import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Whose } from "../people/whose.ts";
import { aCategory, aCluster, aProject, aSeoUser } from "../testing/builders.ts";
import { logPublication } from "./publications.ts";
import { releasePhrases, reservePhrase } from "./rotation.ts";
import type { ContentType } from "./shape.ts";

let database: TestDatabase;
let sql: Sql;
let whose: Whose;
let projectId: number;
const now = new Date("2026-11-15T12:00:00Z");
const day = 86_400_000;
beforeAll(async () => {
  database = await testDatabase();
  ({ sql } = database);
});
afterAll(() => database.drop());
beforeEach(async () => {
  whose = await aSeoUser(sql);
  projectId = await aProject(sql, whose);
});

const category = (keywords: readonly unknown[]) => aCategory(sql, whose, { projectId, keywords });

function reserve(
  categoryId: number,
  run: string,
  contentType: ContentType = "article",
  except: string[] = [],
) {
  return reservePhrase(sql, whose, { categoryId, contentType, run, except }, now);
}
const phrase = async (...given: Parameters<typeof reserve>) => {
  const answer = await reserve(...given);
  return answer.outcome === "reserved" ? answer.cluster.main_phrase : answer.outcome;
};

/** Published so many days ago. */
const used = (
  categoryId: number,
  keyword: string,
  daysAgo: number,
  given: { content_type?: ContentType; status?: "success" | "failed" } = {},
) =>
  logPublication(
    sql,
    whose,
    {
      ...{ project_id: projectId, category_id: categoryId, platform_type: "wordpress", keyword },
      ...{ content_type: "article", status: "success", ...given },
    },
    new Date(now.getTime() - daysAgo * day),
  );

it("the most searched cluster comes first, then the easier one; articles leave product pages out, posts do not", async () => {
  const id = await category([
    aCluster("редкая", 10),
    aCluster("трудная", 500, { avg_difficulty: 80 }),
    aCluster("лёгкая", 500, { avg_difficulty: 5 }),
    aCluster("купить кухню", 900, { cluster_type: "product_page" }),
  ]);
  expect([await phrase(id, "a"), await phrase(id, "b"), await phrase(id, "c")]).toEqual([
    "лёгкая",
    "трудная",
    "редкая",
  ]);
  expect(await phrase(id, "d", "social_post")).toBe("купить кухню");
});

it("the larger of Google's and Yandex's volumes says how searched a cluster is", async () => {
  const id = await category([
    aCluster("для Google", 500),
    aCluster("для Яндекса", 10, {
      total_yandex_volume: 900,
      phrases: [{ phrase: "для Яндекса", volume: 10, yandex_volume: 900, yandex_region: "Казань" }],
    }),
  ]);
  expect(await reserve(id, "a")).toMatchObject({
    cluster: { main_phrase: "для Яндекса", phrases: [{ yandex_volume: 900, yandex_region: "Казань" }] },
  });
});

it("a main phrase rests for seven days after a success with the same kind of content, and after nothing else", async () => {
  const id = await category([
    aCluster("Кухня из дуба", 900),
    aCluster("б", 500),
    aCluster("в", 300),
    aCluster("г", 100),
  ]);
  await used(id, "кухня  из ДУБА", 6.9);
  await used(id, "б", 7.1);
  await used(id, "в", 1, { status: "failed" });
  await used(id, "б", 1, { content_type: "social_post" });
  expect([await phrase(id, "a"), await phrase(id, "b")]).toEqual(["б", "в"]);
});

// covers seo: E22; E23
it("when all have been used, the one that was used longest ago is used again, and fewer than three want more phrases", async () => {
  const id = await category([aCluster("первая", 900), aCluster("вторая", 100)]);
  await used(id, "первая", 2);
  await used(id, "вторая", 5);
  expect(await reserve(id, "a")).toMatchObject({
    outcome: "reserved",
    cluster: { main_phrase: "вторая" },
    reused: true,
    advice: [
      { ru: "Все кластеры использованы за последние 7 дней. Используем кластер «вторая» повторно." },
      { ru: "Добавьте ещё ключевых фраз для разнообразия контента." },
    ],
  });
});

// E16, E36, E40
it("says why there is nothing to write about, and reads lists of the earlier format phrase by phrase", async () => {
  expect(await reserve(await category([]), "a")).toMatchObject({
    outcome: "no_phrases",
    said: { ru: expect.stringContaining("нет ключевых фраз") },
  });
  const pages = await category([aCluster("купить", 9, { cluster_type: "product_page" })]);
  expect(await reserve(pages, "b")).toMatchObject({
    outcome: "no_articles",
    said: { ru: "В категории нет кластеров для статей. Добавьте информационные фразы." },
  });
  expect(await phrase(pages, "b", "social_post")).toBe("купить");
  const old = await category([
    { phrase: "тихая", volume: 5 },
    { phrase: "громкая", volume: 50 },
    "без объёма",
  ]);
  expect([await phrase(old, "c"), await phrase(old, "d"), await phrase(old, "e")]).toEqual([
    ...["громкая", "тихая", "без объёма"],
  ]);
  expect(await phrase(old, "f")).toBe("all_reserved");
  expect(await phrase(await category([aCluster("одна")]), "g", "article", ["ОДНА"])).toBe("all_excluded");
});

it("runs that begin together never share a phrase, and get none when all are taken", async () => {
  const id = await category(Array.from({ length: 10 }, (_, index) => aCluster(`фраза ${index}`, index)));
  const got = await Promise.all(Array.from({ length: 16 }, (_, index) => phrase(id, `run-${index}`)));
  expect(new Set(got.filter((each) => each !== "all_reserved")).size).toBe(10);
  expect(got.filter((each) => each === "all_reserved")).toHaveLength(6);
});

it("a run that asks again gets its own phrase; when it ends, the phrase is free, and a lost run's in two days", async () => {
  const id = await category([aCluster("одна")]);
  expect([await phrase(id, "a"), await phrase(id, "a"), await phrase(id, "b")]).toEqual([
    "одна",
    "одна",
    "all_reserved",
  ]);
  await releasePhrases(sql, whose.workspaceId, "a");
  expect(await phrase(id, "b")).toBe("одна");
  const later = new Date(now.getTime() + 2 * day);
  expect(
    await reservePhrase(sql, whose, { categoryId: id, contentType: "article", run: "c" }, later),
  ).toMatchObject({
    outcome: "reserved",
  });
});
