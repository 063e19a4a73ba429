import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { aCategoryOwner } from "../../../../tests/support/seo-category.ts";
import type { Cluster } from "../../categories/clusters.ts";
import { addClusters, readClusters } from "../../categories/keywords.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterAll(() => harness.close());

function aCluster(name: string, volumes: readonly number[], difficulty = 50): Cluster {
  const figures = { cpc: null, intent: null, ai_suggested: false, volume_country: "Украина" };
  return {
    ...{ cluster_name: name, cluster_type: "article", main_phrase: name, avg_difficulty: difficulty },
    total_volume: volumes.reduce((sum, each) => sum + each, 0),
    phrases: volumes.map((volume, at) => ({
      ...{ phrase: at === 0 ? name : `${name} ${at}`, volume, difficulty, ...figures },
    })),
  };
}

async function withClusters(clusters: readonly Cluster[], language?: "en") {
  const owner = await aCategoryOwner(harness, language && { language });
  if (clusters.length > 0) await addClusters(owner.deps, owner.whose, owner.categoryId, clusters);
  await owner.person.tap(`category:${owner.categoryId}:keywords`);
  const left = () => readClusters(owner.deps.sql, owner.whose, owner.categoryId);
  return { ...owner, left };
}

describe("the keywords of a category", () => {
  it("offer a search and an upload while there are none", async () => {
    const { person } = await withClusters([]);
    await person.sees("Фраз пока нет");
    expect(await person.labels()).toEqual(["Начать подбор", "Загрузить свои фразы", "К категории"]);
  });

  it("are summed up with the three best clusters, their figures and the country of the volumes", async () => {
    const { person } = await withClusters([
      aCluster("чай оптом", [900, 100], 24),
      aCluster("чайник", [5], 80),
      aCluster("белый чай", [300], 60),
      aCluster("пуэр", [2_000, 50, 50], 45),
    ]);
    const { text } = await person.sees("Лучшие по перспективности:");
    expect(text).toContain("4 кластера (7 фраз). Лучшие по перспективности:");
    expect(text).toMatch(/1\. пуэр — 3 фразы, Google 2.100\/мес, сложность 45\n/);
    expect(text).toMatch(/2\. чай оптом — 2 фразы, Google 1.000\/мес, сложность 24, ★ легко\n/);
    expect(text).toContain("3. белый чай");
    expect(text).not.toContain("чайник");
    expect(text).toContain("Google, Украина");
  });

  it("are shown cluster by cluster, eight on a page, with the phrases as text", async () => {
    const { person } = await withClusters(
      Array.from({ length: 9 }, (_, at) => aCluster(`тема ${at}`, [900 - at, 10])),
    );
    await person.press("Посмотреть кластеры");
    await person.sees("Выберите кластер");
    expect(await person.labels()).toEqual(expect.arrayContaining(["тема 0 (2)", "тема 7 (2)", "1/2", "▶"]));
    await person.press("▶");
    await person.press("тема 8 (2)");
    const { text } = await person.sees("• тема 8");
    expect(text).toContain("• тема 8 1 — Google 10/мес, сложность 50");
    expect(text).toContain("Google, Украина");
  });

  it("lose a phrase by one tap; a cluster without phrases vanishes", async () => {
    const { person, left } = await withClusters([aCluster("пуэр", [20, 10]), aCluster("улун", [5])]);
    await person.press("Посмотреть кластеры");
    await person.press("пуэр (2)");
    await person.press("Удалить фразы");
    await person.press("❌ пуэр");
    expect((await person.screen()).text).toContain("Кластер «пуэр»");
    expect((await left()).map(({ main_phrase }) => main_phrase)).toEqual(["пуэр 1", "улун"]);
    await person.press("❌ пуэр 1");
    await person.sees("1 кластер (1 фраза)");
    expect((await left()).map(({ main_phrase }) => main_phrase)).toEqual(["улун"]);
  });

  it("lose a cluster, or all phrases, only after a second tap that names what is lost", async () => {
    const { person, left } = await withClusters([aCluster("пуэр", [20, 10]), aCluster("улун", [5])]);
    await person.press("Удалить кластер");
    await person.sees("Какой кластер удалить?");
    await person.press("пуэр (2)");
    await person.sees("Будет удалено: 2 фразы");
    expect(await left()).toHaveLength(2);
    await person.press("Да, удалить");
    await person.sees("Удалено.");
    expect(await left()).toHaveLength(1);
    await person.press("Удалить все фразы");
    await person.sees("Будет удалено: 1 кластер (1 фраза)");
    await person.press("Отмена");
    await person.screen();
    await person.press("Удалить все фразы");
    await person.press("Да, удалить");
    await person.sees("Фраз пока нет");
    expect(await left()).toEqual([]);
  });

  it("come as a CSV file", async () => {
    const { person } = await withClusters([aCluster("пуэр", [20])]);
    await person.press("Скачать все (CSV)");
    const { media } = await person.sees("Ключевые фразы категории «Зелёный чай»");
    expect(JSON.stringify(media)).toContain(".csv");
  });

  // covers seo: E36
  it("are readable in the old format without clusters", async () => {
    const { person, categoryId } = await aCategoryOwner(harness);
    await harness.sql`
      update seo.categories set keywords = '[{"phrase":"чай"},{"phrase":"кофе"}]' where id = ${categoryId}`;
    await person.tap(`category:${categoryId}:keywords`);
    expect((await person.sees("Лучшие по перспективности")).text).toContain("объём: нет данных");
    await person.press("Посмотреть кластеры");
    await person.press("чай (1)");
    await person.sees("• чай — объём: нет данных");
  });

  it("are nobody else's, and speak English", async () => {
    const { categoryId } = await withClusters([aCluster("пуэр", [20])]);
    const { person } = await withClusters([aCluster("улун", [20])], "en");
    await person.sees("1 cluster (1 phrase). The most promising:");
    for (const address of [
      "keywords",
      "clusters:1",
      "keywords:delete",
      "keywords:delete:yes",
      "keywords:csv",
    ]) {
      await person.tap(`category:${categoryId}:${address}`);
      expect((await person.screen()).text).not.toContain("пуэр");
    }
    const { deps, whose } = await aCategoryOwner(harness);
    await expect(readClusters(deps.sql, whose, categoryId)).rejects.toThrow();
  });
});
