import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ArticleHarness, startArticles } from "../../../tests/support/seo-articles.ts";
import { balanceOf, findingsIn } from "../../billing/testing/builders.ts";
import { deleteCategory } from "../categories/categories.ts";
import { addMediaFile, deleteMediaFiles, listMedia, removeMediaFile } from "../categories/media-files.ts";
import { forgetPictures } from "../publish/expire-articles.ts";
import { readRun } from "../runs/read-runs.ts";
import { changeSettings, type SettingsChanges } from "../settings/settings.ts";
import { imagesResult, imagesRun } from "./images-run.ts";
import { orderImages, readImages } from "./order-images.ts";
import { readPicture } from "./stored-files.ts";

let world: ArticleHarness;
let business: Awaited<ReturnType<ArticleHarness["aBusiness"]>>;
beforeAll(async () => {
  world = await startArticles();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.clean();
  business = await world.aBusiness();
});

const balance = () => balanceOf(world.sql, business.whose.workspaceId, business.whose.userId);
const media = () => ({ ...world.deps, storage: world.storage });
const photo = (background: string) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .png()
    .toBuffer();
const files = async () => {
  const keys: string[] = [];
  for await (const { key } of world.storage.list(`seo/${business.whose.workspaceId}/`)) keys.push(key);
  return keys;
};

async function ordered(count: number, kind = imagesRun(world.deps)) {
  const runs = world.runsOf(kind);
  const order = { sql: world.sql, clock: world.clock, runs, admins: [] };
  const { whose, categoryId } = business;
  return { runs, ...(await orderImages(order, kind, whose, categoryId, { count })) };
}

async function drawn(count: number, kind = imagesRun(world.deps)) {
  const { whose } = business;
  const { runs, run_id } = await ordered(count, kind);
  await world.perform(whose, run_id, runs);
  return readRun(world.sql, whose.workspaceId, run_id);
}

/** What the model was asked to draw. */
async function asked() {
  const shape = z.object({ entries: z.array(z.looseObject({ method: z.string(), request: z.unknown() })) });
  const { entries } = shape.parse(await world.twins.control("GET", "/journal?provider=openrouter&limit=100"));
  return entries
    .map(({ request }) => JSON.stringify(request))
    .filter((request) => /"model":"[^"]*image/.test(request));
}

describe("pictures of a category", () => {
  // covers seo: F08
  it("are drawn by its settings for 30 tokens each, each about another theme, and can be opened for a week", async () => {
    const { whose, categoryId } = business;
    const settings = {
      image: { formats: ["2:3", "1:1"], styles: ["Акварель"], quality: "Ultra HD" },
    } satisfies SettingsChanges;
    await changeSettings(world.deps, whose, categoryId, undefined, settings);
    const run = await drawn(3);
    expect(run).toMatchObject({ status: "done", tokens: 90 });
    const { pictures, warning } = imagesResult.parse(run.result);
    expect(warning).toBeNull();
    expect(pictures.map(({ width, height }) => Math.round((width / height) * 100))).toEqual([67, 100, 67]);
    const prompts = (await asked()).join("\n");
    expect(prompts).toContain("Акварель");
    for (const theme of ["зелёный чай", "чай улун", "белый чай"]) expect(prompts).toContain(theme);
    const shown = await readImages(world.deps, whose, run.run_id);
    expect(shown.pictures).toHaveLength(3);
    expect(shown.pictures[0]?.url).toMatch(/expires|signature/);
    await expect(readImages(world.deps, { ...whose, userId: 1 }, run.run_id)).rejects.toThrow(
      "There is no run",
    );
    expect(await balance()).toBe(1_410);
    world.advance(7.5 * 24 * 3_600_000);
    await forgetPictures(world.deps);
    expect(await files()).toEqual([]);
    expect(await findingsIn(world.sql, whose.workspaceId)).toEqual([]);
  });

  it("that do not come out are not paid for; without any all tokens go back", async () => {
    const refuse = (model: string, times: number) =>
      world.sources.fault("openrouter", { kind: "status", status: 404 }, times, { chat: `google/${model}` });
    await refuse("gemini-3-pro-image-preview", 100);
    await refuse("gemini-2.5-flash-image", 2);
    const partly = await drawn(3);
    const { pictures, warning } = imagesResult.parse(partly.result);
    expect(pictures.length).toBeLessThan(3);
    expect(partly.tokens).toBe(pictures.length * 30);
    expect(warning?.ru).toBe(`Сгенерировано ${pictures.length} из 3 изображений`);
    await world.sources.fault("openrouter", { kind: "status", status: 500 }, 1_000);
    expect(await drawn(2)).toMatchObject({ status: "failed", tokens: 0, error: { code: "no_pictures" } });
    expect(await balance()).toBe(1_500 - partly.tokens);
  });

  it("count one by one for the limit of an hour, and a refused order costs nothing", async () => {
    await ordered(10);
    await ordered(9);
    const left = await balance();
    await expect(ordered(2)).rejects.toMatchObject({
      code: "too_many_works",
      said: {
        ru: expect.stringContaining("Превышен лимит генераций (20/час)"),
        en: expect.stringContaining("The limit of 20 pictures an hour is reached"),
      },
    });
    expect(await balance()).toBe(left);
  });
});

describe("the media of a category", () => {
  // covers seo: F23
  it("are photos, videos and documents by their content, at most twenty of 20 MB, and go with their category", async () => {
    const { whose, categoryId } = business;
    const add = (bytes: Uint8Array, name?: string) =>
      addMediaFile(media(), whose, categoryId, { bytes, name });
    const mp4 = Buffer.concat([Buffer.from("\0\0\0\x18ftypisom"), Buffer.alloc(600)]);
    await add(mp4, "ролик.mp4");
    await add(Buffer.from("%PDF-1.7\n"), "прайс.pdf");
    await add(await photo("#336699"), "..\\..\\цех\u0000.png");
    // The same bytes are the same file.
    const listed = await add(await photo("#336699"), "цех.png");
    expect(listed.map(({ type, file_name }) => [type, file_name])).toEqual([
      ["video", "ролик.mp4"],
      ["document", "прайс.pdf"],
      ["photo", "цех.png"],
    ]);
    expect(await files()).toHaveLength(3);
    for (const key of await files())
      expect(key).toMatch(/^seo\/[0-9a-f-]+\/\d+\/\d+\/media-\d+-[0-9a-f]{32}\.\w+$/);
    const broken = Buffer.concat([(await photo("#000000")).subarray(0, 40), Buffer.alloc(50)]);
    for (const wrong of [
      Buffer.alloc(0),
      Buffer.from("MZ\0\0"),
      broken,
      Buffer.alloc(20 * 1024 * 1024 + 1),
      Buffer.from("<svg></svg>"),
    ])
      await expect(add(wrong, "файл.txt.exe")).rejects.toMatchObject({
        ...{ code: "file_refused", said: { ru: expect.stringContaining("до 20 МБ") } },
      });
    await expect(addMediaFile(media(), { ...whose, userId: 1 }, categoryId, { bytes: mp4 })).rejects.toThrow(
      "There is no category",
    );
    for (let index = 0; index < 17; index += 1) await add(Buffer.from(`%PDF-${index}`));
    await expect(add(Buffer.from("%PDF-x"))).rejects.toMatchObject({ code: "value_refused" });
    expect(await files()).toHaveLength(20);

    const [first] = await listMedia(media(), whose, categoryId);
    await removeMediaFile(media(), whose, categoryId, first?.file_id ?? "", { dryRun: true });
    expect(await files()).toHaveLength(20);
    await removeMediaFile(media(), whose, categoryId, first?.file_id ?? "");
    expect(await files()).toHaveLength(19);
    await deleteCategory({ ...world.deps, beforeDelete: [deleteMediaFiles(world.deps)] }, whose, categoryId);
    expect(await files()).toEqual([]);
  });

  // covers seo: F43
  it("steer the style of pictures by what they look like, and are never needed", async () => {
    const { whose, categoryId } = business;
    await drawn(1);
    expect((await asked()).join()).not.toContain("снимки самой компании");
    await world.sources.clean();
    const bytes = await photo("#336699");
    await addMediaFile(media(), whose, categoryId, {
      bytes,
      name: "цех.png",
      description: "светлый цех, дуб",
    });
    await drawn(1);
    const [request = ""] = await asked();
    expect(request).toContain("светлый цех, дуб");
    expect(request).toContain("#336699");
    expect(request).toContain("image/jpeg");

    // An article's pictures follow them too; a file that is gone stops nothing.
    const [key = ""] = (await files()).filter((each) => each.includes("media-"));
    await world.storage.delete(key);
    expect(await readPicture(world.storage, whose.workspaceId, key)).toBeUndefined();
    await world.sources.clean();
    const article = await world.written(whose, categoryId);
    expect(article).toMatchObject({ status: "review" });
    expect((await asked()).join()).toContain("светлый цех, дуб");
  });

  it("are left out when no model takes pictures to look at", async () => {
    const { whose, categoryId } = business;
    await addMediaFile(media(), whose, categoryId, { bytes: await photo("#336699") });
    let calls = 0;
    const { gateway } = world.deps;
    const kind = imagesRun({
      ...world.deps,
      gateway: {
        ...gateway,
        async images(ask) {
          calls += 1;
          if (!ask.pictures.some(({ references = [] }) => references.length > 0)) return gateway.images(ask);
          const answered = await gateway.images({ ...ask, policy: "no_such_policy" });
          return answered;
        },
      },
    });
    const run = await drawn(1, kind);
    expect(run).toMatchObject({ status: "done" });
    expect(calls).toBe(2);
    expect(run.steps.flatMap(({ notes }) => notes.map(({ what }) => what))).toContain("references_left_out");
  });
});
