import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { balanceOf, findingsIn } from "../../billing/testing/builders.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { deleteCategory } from "../categories/categories.ts";
import type { Whose } from "../people/whose.ts";
import { consequencesOf, deleteDoomed } from "../projects/delete.ts";
import { aCategory, aCluster, aDraft, aProject, aSeoUser } from "../testing/builders.ts";
import { cancelPreview, publishPreview, readPreview, reopenPreview } from "./previews.ts";
import { refundDrafts } from "./refund-drafts.ts";

let database: TestDatabase;
let sql: Sql;
let whose: Whose;
let categoryId: number;
const made = new Date("2026-11-15T12:00:00Z");
const at = (hours: number) => ({ sql, clock: { now: () => new Date(made.getTime() + hours * 3_600_000) } });
beforeAll(async () => {
  database = await testDatabase();
  ({ sql } = database);
});
afterAll(() => database.drop());
beforeEach(async () => {
  whose = await aSeoUser(sql);
  categoryId = await aCategory(sql, whose, { keywords: [aCluster("кухня")] });
});
const balance = () => balanceOf(sql, whose.workspaceId, whose.userId);
const draft = (run: string) => aDraft(sql, whose, categoryId, { run, now: made });

it("cancelling and publishing never both win, however often they meet", async () => {
  for (let turn = 0; turn < 12; turn += 1) {
    const id = await draft(`race-${turn}`);
    const [published, cancelled] = await Promise.allSettled([
      publishPreview(at(23.9), whose, id),
      cancelPreview(at(23.9), whose, id),
    ]);
    const isPublished = published.status === "fulfilled";
    expect([isPublished, cancelled.status === "fulfilled"].filter(Boolean)).toHaveLength(1);
    const { status } = await readPreview(sql, whose, id);
    expect(status).toBe(isPublished ? "published" : "cancelled");
    // What was published stays held; what was cancelled went back.
    const left = (await balance()) ?? 0;
    expect(left).toBe(isPublished ? 1_180 : 1_500);
    await sql`select billing.return_run(${whose.workspaceId}, ${`race-${turn}`}, 'the test goes on')`;
  }
  expect(await findingsIn(sql, whose.workspaceId)).toEqual([]);
});

// covers seo: E07
it("of several taps one publishes, the others are told", async () => {
  const id = await draft("taps");
  const taps = await Promise.allSettled(Array.from({ length: 6 }, () => publishPreview(at(1), whose, id)));
  expect(taps.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(publishPreview(at(1), whose, id)).rejects.toMatchObject({ said: { ru: "Уже публикуется" } });
});

it("a draft is cancelled once, its tokens go back, and nothing revives it", async () => {
  const id = await draft("cancelled");
  expect(await balance()).toBe(1_180);
  expect(await cancelPreview(at(1), whose, id)).toMatchObject({
    returned: 320,
    preview: { status: "cancelled" },
  });
  expect(await balance()).toBe(1_500);
  await expect(cancelPreview(at(1), whose, id)).rejects.toMatchObject({ code: "preview_ended" });
  expect(await reopenPreview(at(1), whose, id)).toBe(false);
  await expect(sql`update seo.article_previews set status = 'draft' where id = ${id}`).rejects.toThrow(
    "cannot become draft",
  );
});

// E18
it("after a day it cannot be published; a failed publication is a draft again until then", async () => {
  const id = await draft("late");
  await publishPreview(at(1), whose, id);
  expect(await reopenPreview(at(2), whose, id)).toBe(true);
  await expect(publishPreview(at(25), whose, id)).rejects.toMatchObject({
    said: { ru: "Превью устарело. Сгенерируйте статью заново." },
  });
});

// E42
// covers seo: E42
it("a project or a category that is deleted gives the tokens of its drafts back first, and says what goes", async () => {
  const deps = { ...at(1), beforeDelete: [refundDrafts(at(1))] };
  await draft("first");
  expect(await deleteCategory(deps, whose, categoryId, { dryRun: true })).toMatchObject({
    ...{ categories: 1, phrases: 1, drafts: 1, tokens_returned: 320 },
  });
  expect(await balance()).toBe(1_180);
  await deleteCategory(deps, whose, categoryId);
  expect(await balance()).toBe(1_500);

  const projectId = await aProject(sql, whose);
  categoryId = await aCategory(sql, whose, { projectId });
  await draft("second");
  await deleteDoomed(deps, { whose, projectId });
  expect(await balance()).toBe(1_500);
  await expect(consequencesOf(sql, { whose, projectId })).rejects.toMatchObject({ code: "not_found" });
});

it("a step that fails keeps everything, and drafts that appear meanwhile are not lost", async () => {
  const projectId = await aProject(sql, whose);
  categoryId = await aCategory(sql, whose, { projectId });
  const fails = { name: "remote", run: () => Promise.reject(new Error("QStash does not answer")) };
  await expect(deleteDoomed({ ...at(1), beforeDelete: [fails] }, { whose, projectId })).rejects.toThrow(
    "QStash does not answer",
  );
  let isFirst = true;
  const writes = {
    name: "somebody writes meanwhile",
    run: async () => {
      if (isFirst) await draft("meanwhile");
      isFirst = false;
    },
  };
  await deleteDoomed({ ...at(1), beforeDelete: [refundDrafts(at(1)), writes] }, { whose, projectId });
  expect(await balance()).toBe(1_500);
});
