import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { aCategoryOwner } from "../../../../tests/support/seo-category.ts";
import { readClusters } from "../../categories/keywords.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterEach(() => harness.control("DELETE", "/faults"));
afterAll(() => harness.close());

const refusal = "Загрузите TXT-файл (UTF-8), одна фраза на строку. Макс. 500 фраз, 1 МБ";
const file = (content: string | Uint8Array, name = "phrases.txt") => ({
  file: {
    ...{ kind: "document", name },
    data: `data:text/plain;base64,${Buffer.from(content).toString("base64")}`,
  },
});
const own = "чай оптом\nчай купить\nбелый чай польза\nзелёный чай в подарок\n";

const down = (provider: string) =>
  harness.control("POST", "/faults", { provider, fault: { kind: "status", status: 503 }, times: 200 });

async function uploader() {
  const owner = await aCategoryOwner(harness);
  await owner.person.tap(`category:${owner.categoryId}:keywords:upload`);
  await owner.person.sees("Загрузка своих фраз");
  return owner;
}

describe("uploading one's own keywords", () => {
  // covers seo: F31
  it("adds the phrases of a file with volumes and in clusters, for nothing", async () => {
    const { person, categoryId } = await uploader();
    await person.send(file(own));
    const { text } = await person.sees("Готово:");
    expect(text).toContain("4 новые фразы добавлены");
    expect(text).toMatch(/Объёмы поиска: Google/);
    expect(await person.stands()).toBe(`screen:category:${categoryId}:keywords`);
    expect(await person.balance()).toBe(1_500);
  });

  it.each([
    ["a file of another kind", () => file(own, "phrases.docx")],
    ["a file that is not UTF-8", () => file(Uint8Array.of(0xcf, 0xf0, 0xe8))],
    ["more than 500 phrases", () => file(Array.from({ length: 501 }, (_, at) => `чай ${at}`).join("\n"))],
    ["more than 1 MB", () => file("ч".repeat(600_000))],
    ["an empty file", () => file("\n\n")],
  ])("refuses %s and asks again", async (_, sent) => {
    const { person } = await uploader();
    await person.send(sent());
    await person.sees(refusal);
    expect(await person.stands()).toBe("KeywordUpload.file_upload");
  });

  it("asks for a file when words come instead", async () => {
    const { person } = await uploader();
    await person.say("чай оптом");
    await person.sees(refusal);
    expect(await person.stands()).toBe("KeywordUpload.file_upload");
  });

  // covers seo: E03
  it("keeps a flat list with a warning when there are no volumes", async () => {
    const { person, deps, whose, categoryId } = await uploader();
    await down("dataforseo");
    await down("yandex");
    await person.send(file(own));
    expect((await person.sees("Готово:")).text).toContain("Данные без объёмов поиска");
    expect(await readClusters(deps.sql, whose, categoryId)).toHaveLength(4);
  });

  it("keeps one cluster with the category's name when the model fails", async () => {
    const { person, deps, whose, categoryId } = await uploader();
    await down("openrouter");
    await person.send(file(own));
    await person.sees("Готово: 1 кластер (4 фразы)");
    expect(await readClusters(deps.sql, whose, categoryId)).toMatchObject([
      { cluster_name: "Зелёный чай", phrases: expect.any(Array) },
    ]);
  });

  // covers seo: E25
  it("counts against the hour's limit", async () => {
    const { person, whose } = await uploader();
    await harness.sql`
      insert into seo.runs (workspace_id, user_id, kind, status, input, keywords, created_at, ended_at)
      values (${whose.workspaceId}, ${whose.userId}, 'keywords', 'cancelled', '{}', 5, now(), now())`;
    await person.send(file(own));
    await person.sees("Превышен лимит генераций (5/час)");
    expect(await person.stands()).toBe("KeywordUpload.file_upload");
  });
});
