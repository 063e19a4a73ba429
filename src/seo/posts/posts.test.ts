import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type PostHarness, startPosts } from "../../../tests/support/seo-posts.ts";
import { balanceOf, findingsIn } from "../../billing/testing/builders.ts";
import { startTestHttpServer } from "../../http/testing/http-server.ts";
import type { Gateway } from "../../llm/index.ts";
import { type SocialAnswer, socialAnswer } from "../answers/index.ts";
import { setPrices } from "../categories/lists.ts";
import { readConnection } from "../connections/connections.ts";
import { estimateWork } from "../estimates/estimate.ts";
import { seoProblems } from "../problems.ts";
import { changeProject } from "../projects/projects.ts";
import { logPublication, publicationPage } from "../publications/publications.ts";
import type { NewPublication } from "../publications/shape.ts";
import { forgetPictures } from "../publish/expire-articles.ts";
import { type RunDetail, readRun } from "../runs/read-runs.ts";
import type { AnyRunKind } from "../runs/run-kind.ts";
import { changeSettings } from "../settings/settings.ts";
import { aCluster } from "../testing/builders.ts";
import { crossPostRun } from "./cross-post-run.ts";
import { runOfPublication } from "./cross-post-source.ts";
import { losePost, regeneratePost } from "./decide-post.ts";
import { expirePosts } from "./expire-posts.ts";
import { orderCrossPost } from "./order-cross-post.ts";
import { postRun } from "./post-run.ts";
import { postRoutes } from "./routes.ts";
import { postResult } from "./shape.ts";

let world: PostHarness;
let business: Awaited<ReturnType<PostHarness["aBusiness"]>>;
beforeAll(async () => {
  world = await startPosts();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.clean();
  business = await world.aBusiness();
});

type Network = "telegram" | "vk" | "pinterest";
const balance = () => balanceOf(world.sql, business.whose.workspaceId, business.whose.userId);
const resultOf = (run: { result: unknown }) => postResult.parse(run.result);
const codesOf = (run: { result: unknown }) => resultOf(run).warnings.map(({ code }) => code);
const written = (network: Network, using?: ReturnType<PostHarness["runsOf"]>) =>
  world.written(business.whose, business.categoryId, { connectionId: business[network] }, using);
const published = async (network: Network) =>
  world.published(business.whose, (await written(network)).run_id);
const again = ({ run_id }: RunDetail) => readRun(world.sql, business.whose.workspaceId, run_id);
const history = async () => (await publicationPage(world.sql, business.whose)).items;
const spend = (tokens: number) =>
  world.sql`select billing.charge_balance(${business.whose.workspaceId}, ${business.whose.userId}, ${tokens})`;
const refuse = (model: string, times = 100) =>
  world.sources.fault("openrouter", { kind: "status", status: 404 }, times, { chat: model });
const refuseTexts = async () => {
  for (const model of ["deepseek/deepseek-v3.2", "anthropic/claude-sonnet-4.5", "openai/gpt-5.2"])
    await refuse(model);
};
const refusePictures = async () => {
  for (const model of ["google/gemini-3-pro-image-preview", "google/gemini-2.5-flash-image"])
    await refuse(model);
};
const files = async () => {
  const keys: string[] = [];
  for await (const { key } of world.storage.list(`seo/${business.whose.workspaceId}/`)) keys.push(key);
  return keys;
};
const reservations = () => world.sql`
  select from seo.phrase_reservations where workspace_id = ${business.whose.workspaceId}`;
const sweep = () => expirePosts({ ...world.deciding });
const pictureOf = async (network: Network) => {
  const media = (await world.shown(network)).flatMap((message) => message.media);
  const bytes = await (await fetch(`${world.twins.url}${media[0]?.url}`)).arrayBuffer();
  return sharp(Buffer.from(bytes)).metadata();
};

const answerShape = z.looseObject({ run_id: z.string().default("") });

/** Runs whose models answer posts otherwise; `change` gets the answer and the number of the call. */
function runsWith(change: (answer: SocialAnswer, call: number) => SocialAnswer) {
  let calls = 0;
  const { gateway } = world.deps;
  const changed: Gateway = {
    ...gateway,
    async object(ask) {
      const answered = await gateway.object(ask);
      if (!/^seo_(?:social|cross_post)$/.test(ask.policy) || !answered.ok) return answered;
      calls += 1;
      return { ...answered, object: ask.schema.parse(change(socialAnswer.parse(answered.object), calls)) };
    },
  };
  const deps = { ...world.deps, gateway: changed };
  return world.runsOf(postRun(deps), crossPostRun(deps));
}

describe("a post", () => {
  // covers seo: F06
  // covers seo: F08
  it.each(["telegram", "vk", "pinterest"] as const)(
    "in the manner of %s is written, reviewed and arrives there with its picture, for what it has",
    async (network) => {
      const { whose, categoryId, projectId } = business;
      await changeProject(world.deps, whose, projectId, { website_url: "https://chay.example/" });
      const run = await written(network);
      expect(run).toMatchObject({ status: "review", error: null, kind: "social_post" });
      const post = resultOf(run);
      const [least, most] = network === "pinterest" ? [25, 60] : [100, 300];
      expect(post.words).toBeGreaterThanOrEqual(least);
      expect(post.words).toBeLessThanOrEqual(most);
      expect(post).toMatchObject({ phrase: "зелёный чай", warnings: [], platform: network });
      expect(run.tokens).toBe(Math.ceil(post.words / 100) * 10 + 30);

      const taps = await Promise.allSettled([1, 2, 3].map(() => world.publish(whose, run.run_id)));
      expect(taps.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await expect(world.publish(whose, run.run_id)).rejects.toMatchObject({
        said: { ru: "Уже публикуется" },
      });
      const done = await world.delivered(whose, run.run_id);
      expect(done).toMatchObject({ status: "done", error: null, tokens: run.tokens });
      const [shown, ...more] = await world.shown(network);
      expect(more).toEqual([]);
      expect(shown?.text).toContain(post.text.replaceAll(/<\/?b>/g, ""));
      expect(shown?.text).toContain("#зелёный_чай");
      expect(shown?.marks.some(({ type }) => type === "bold")).toBe(network !== "vk");
      expect(shown?.linkPreview?.url).toBe(network === "pinterest" ? "https://chay.example/" : undefined);
      const { format, width = 0, height = 0 } = await pictureOf(network);
      expect(format).toBe(network === "telegram" ? "webp" : "jpeg");
      expect(width / height).toBeCloseTo(network === "pinterest" ? 2 / 3 : 1, 1);
      expect(await balance()).toBe(1_500 - run.tokens);
      expect(await history()).toMatchObject([
        {
          ...{
            platform_type: network,
            content_type: "social_post",
            status: "success",
            keyword: "зелёный чай",
          },
          ...{ category_id: categoryId, connection_id: business[network], images_count: 1 },
          ...{ tokens_spent: run.tokens, post_url: resultOf(done).post_url },
        },
      ]);
      expect(await reservations()).toHaveLength(0);
      expect(await findingsIn(world.sql, whose.workspaceId)).toEqual([]);
    },
  );

  it("goes on from the step it was interrupted after, at every step: one post, one charge, no call of a model twice", async () => {
    await written("telegram");
    const once = (await world.sources.calls("openrouter")).length;
    await world.clean();
    business = await world.aBusiness();
    const { whose, categoryId } = business;
    const interrupted: string[] = [];
    let stop = new AbortController();
    const fragile: AnyRunKind = {
      ...world.kinds.post,
      perform: (run, input) =>
        world.kinds.post.perform(
          {
            ...run,
            async step(name, spec, work) {
              const result = await run.step(name, spec, work);
              if (interrupted.includes(name)) return result;
              interrupted.push(name);
              stop.abort();
              throw new Error("the power is off");
            },
          },
          input,
        ),
    };
    const { run_id } = await world.order(whose, categoryId, { connectionId: business.telegram });
    const runs = world.runsOf(fragile);
    const statusOf = async () => (await readRun(world.sql, whose.workspaceId, run_id)).status;
    for (let turn = 0; turn < 20 && (await statusOf()) !== "review"; turn += 1) {
      stop = new AbortController();
      await world.perform(whose, run_id, runs, stop.signal).catch(() => {});
    }
    expect(interrupted).toEqual(["brief", "write", "pictures", "price", "likeness"]);
    expect((await world.sources.calls("openrouter")).length).toBe(once);
    const done = await world.published(whose, run_id);
    expect(done.receipt).toHaveLength(2);
    expect(await balance()).toBe(1_500 - done.tokens);
    expect(await world.shown("telegram")).toHaveLength(1);
  });

  // covers seo: E48
  it("names a price of the list and a fact of the company, and warns of what neither has", async () => {
    const { whose, categoryId, projectId } = business;
    await setPrices(world.deps, whose, categoryId, [{ name: "Сенча", price: "700 руб." }]);
    await changeProject(world.deps, whose, projectId, { experience: "собираем чай с 2009 года" });
    const run = await written("vk");
    expect(resultOf(run).text).toContain("Сенча — 700 руб.");
    expect(resultOf(run).text).toContain("с 2009 года");
    expect(resultOf(run).warnings).toEqual([]);

    const invented = runsWith((answer) => ({
      ...answer,
      text: `${answer.text}\n\nСегодня всего 90 руб. Исследования показывают, что чай полезен. Звоните: 8 (900) 111-22-33.`,
    }));
    expect(codesOf(await written("vk", invented))).toEqual(
      expect.arrayContaining(["fabricated_price", "unknown_phone", "unsourced_claim"]),
    );
  });

  it("that is too short, unfinished or without its phrase is written once more, told what was wrong", async () => {
    const shortAtFirst = runsWith((answer, call) =>
      call === 1 ? { ...answer, text: "Купите. [INSERT цена]" } : answer,
    );
    const run = await written("telegram", shortAtFirst);
    expect(resultOf(run).words).toBeGreaterThanOrEqual(100);
    const [note] = run.steps.flatMap(({ notes }) => notes.filter(({ what }) => what === "text_refused"));
    expect(note?.facts).toMatchObject({
      faults: [
        "В тексте 3 слов, нужно не меньше 100.",
        "В тексте осталась заготовка «[INSERT».",
        "В первом предложении нет фразы «зелёный чай».",
      ],
    });

    const never = runsWith((answer) => ({ ...answer, text: `${answer.text} TODO` }));
    expect(await written("telegram", never)).toMatchObject({ status: "failed", tokens: 0 });
    const offTopic = runsWith((answer) => ({ ...answer, text: `Просто мысль. ${answer.text}` }));
    expect(codesOf(await written("vk", offTopic))).toContain("phrase_not_first");
  });

  it("whose text is too long for a caption says so and arrives as two messages", async () => {
    const long = runsWith((answer) => ({
      ...{ ...answer, text: `${answer.text}\n\n${"Заварите, подождите, попробуйте. ".repeat(15)}` },
    }));
    const run = await written("telegram", long);
    expect(codesOf(run)).toEqual(["caption_apart"]);
    await world.published(business.whose, run.run_id);
    const shown = await world.shown("telegram");
    expect(shown).toHaveLength(2);
    expect(shown.find(({ media }) => media.length === 0)?.text.length).toBeGreaterThan(1_024);
  });

  it("that is like a published one is marked, not blocked", async () => {
    const { whose, projectId } = business;
    const first = await written("telegram");
    await logPublication(
      world.sql,
      whose,
      {
        ...{ project_id: projectId, platform_type: "vk", content_type: "social_post", status: "success" },
        content_hash: BigInt(resultOf(first).content_hash),
      },
      world.clock.now(),
    );
    const same = runsWith((answer) => ({
      ...{ ...answer, text: resultOf(first).text, hashtags: resultOf(first).hashtags },
    }));
    expect(codesOf(await written("telegram", same))).toContain("near_duplicate");
  });

  // covers seo: E34
  it("goes without a picture that failed and gives its tokens back; a Pin is refunded as a whole", async () => {
    await refusePictures();
    const run = await written("telegram");
    expect(resultOf(run).pictures).toEqual([]);
    expect(resultOf(run).warnings[0]?.message.ru).toBe(
      "Пост без изображений (генерация не удалась). Возвращено 30 токенов.",
    );
    expect(run.receipt).toContainEqual(expect.objectContaining({ step: "images", state: "returned" }));
    await world.published(business.whose, run.run_id);
    expect(await world.shown("telegram")).toMatchObject([{ media: [] }]);

    const pin = await written("pinterest");
    expect(pin).toMatchObject({ status: "failed", error: { code: "no_picture" }, tokens: 0 });
    expect(await balance()).toBe(1_500 - run.tokens);
    expect(await reservations()).toHaveLength(0);
  });

  it("has as many pictures as its settings say, in their proportions; a Pin has one upright picture whatever they say", async () => {
    const { whose, categoryId } = business;
    await changeSettings(world.ordering, whose, categoryId, undefined, {
      image: { count: 2, formats: ["16:9"] },
    });
    const shapes = async (network: Network) =>
      resultOf(await written(network)).pictures.map(({ width, height }) => Math.round((10 * width) / height));
    expect(await shapes("vk")).toEqual([18, 18]);
    expect(await shapes("pinterest")).toEqual([7]);
    await changeSettings(world.ordering, whose, categoryId, "telegram", { image: { count: 0 } });
    const bare = await written("telegram");
    expect(bare.receipt.map(({ step }) => step)).toEqual(["text"]);
    expect(bare.status).toBe("review");
  });

  // covers seo: E35
  it("is not charged when no model writes it", async () => {
    await refuseTexts();
    expect(await written("telegram")).toMatchObject({
      ...{ status: "failed", tokens: 0 },
      error: { code: "text_failed", message: { ru: "Генерация поста не удалась. Токены возвращены." } },
    });
    expect(await balance()).toBe(1_500);
    expect(await reservations()).toHaveLength(0);
  });
});

describe("ordering a post", () => {
  // covers seo: E16
  // covers seo: E22
  // covers seo: E36
  it("takes the next phrase of any kind in its turn, one of a plain list too, and again the oldest when all were used", async () => {
    const { whose, categoryId } = business;
    const order = (id: number) => world.order(whose, id, { connectionId: business.vk });
    await Promise.all([order(categoryId), order(categoryId)]);
    const phrases = await world.sql<{ phrase_key: string }[]>`
      select phrase_key from seo.phrase_reservations where workspace_id = ${whose.workspaceId} order by 1`;
    // The second one is a product page, of which no article would be written.
    expect(phrases.map(({ phrase_key }) => phrase_key)).toEqual(["зеленый чай", "чай улун"]);

    business = await world.aBusiness([{ phrase: "иван-чай", volume: 5 }]);
    await published("telegram");
    const repeated = resultOf(await written("telegram"));
    expect(repeated).toMatchObject({ phrase: "иван-чай" });
    expect(repeated.warnings.map(({ message }) => message.ru)).toContain(
      "Все кластеры использованы за последние 7 дней. Используем кластер «иван-чай» повторно.",
    );
    business = await world.aBusiness([]);
    await expect(written("telegram")).rejects.toMatchObject({
      ...{ code: "no_phrase", said: { ru: expect.stringContaining("В категории нет ключевых фраз.") } },
    });
    expect(await balance()).toBe(1_500);
  });

  // covers seo: E25
  it("is refused beyond ten an hour, without tokens, and for a place that takes no posts; nothing is charged", async () => {
    business = await world.aBusiness(Array.from({ length: 12 }, (_, index) => aCluster(`чай ${index}`)));
    const { whose, categoryId, telegram: connectionId } = business;
    const order = (wanted = { connectionId }) => world.order(whose, categoryId, wanted);
    const key = { connectionId, requestKey: "tap" };
    expect((await order(key)).run_id).toBe((await order(key)).run_id);
    for (let count = 1; count < 10; count += 1) await order();
    await expect(order()).rejects.toMatchObject({
      ...{
        code: "too_many_works",
        said: { ru: expect.stringContaining("Превышен лимит генераций (10/час).") },
      },
    });
    expect(await balance()).toBe(1_500 - 600);

    business = await world.aBusiness();
    await spend(1_461);
    await expect(written("vk")).rejects.toMatchObject({
      said: { ru: "Недостаточно токенов. Нужно ~40, у вас 39." },
    });
    const stranger = await world.aBusiness();
    await expect(
      world.order(business.whose, business.categoryId, { connectionId: stranger.vk }),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a reviewed post", () => {
  it("is cancelled with its tokens, its phrase and its picture", async () => {
    const { whose } = business;
    const run = await written("vk");
    expect(await files()).toHaveLength(1);
    expect(await world.cancel(whose, run.run_id)).toBe("cancelled");
    expect([await balance(), (await reservations()).length, await files()]).toEqual([1_500, 0, []]);
    await expect(world.publish(whose, run.run_id)).rejects.toMatchObject({ code: "text_not_reviewed" });
    await expect(world.cancel({ ...whose, userId: 1 }, run.run_id)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  // covers seo: E10
  it("is written anew twice for nothing, then for the price of the first time", async () => {
    const { whose } = business;
    const run = await written("telegram");
    const regenerated = async () => {
      const tokens = await regeneratePost(world.deciding, whose, run.run_id);
      return [tokens, await world.performed(whose, run.run_id)] as const;
    };
    const [first, second] = [await regenerated(), await regenerated()];
    expect([first[0], second[0]]).toEqual([0, 0]);
    const texts = [run, first[1], second[1]].map((each) => resultOf(each).text);
    expect(new Set(texts).size).toBe(3);
    expect(await files()).toHaveLength(1);
    expect(await balance()).toBe(1_500 - run.tokens);

    await spend(1_500 - run.tokens - 10);
    await expect(regenerated()).rejects.toMatchObject({
      said: { ru: `Перегенерация стоит ~${run.tokens} токенов, у вас 10.` },
    });
    expect((await again(run)).status).toBe("review");
    await world.sql`select billing.credit_balance(${whose.workspaceId}, ${whose.userId}, 200)`;
    const [tokens, third] = await regenerated();
    expect(tokens).toBe(run.tokens);
    expect(third.tokens).toBe(2 * run.tokens);
    // A paid attempt that fails costs nothing either.
    await refuseTexts();
    const [held, fourth] = await regenerated();
    expect([held, fourth.tokens]).toEqual([run.tokens, 2 * run.tokens]);
    expect(resultOf(fourth).text).toBe(resultOf(third).text);
    expect(await findingsIn(world.sql, whose.workspaceId)).toEqual([]);
    await world.cancel(whose, run.run_id);
    expect((await again(run)).tokens).toBe(0);
  });

  it("stays as it was when it cannot be written anew, for nothing, and keeps its picture when only that fails", async () => {
    const { whose } = business;
    const run = await written("pinterest");
    const regenerate = async () => {
      await regeneratePost(world.deciding, whose, run.run_id);
      return world.performed(whose, run.run_id);
    };
    await refuseTexts();
    const kept = await regenerate();
    expect(kept).toMatchObject({ status: "review", tokens: run.tokens });
    expect(resultOf(kept)).toEqual({
      ...resultOf(run),
      warnings: [{ code: "not_regenerated", message: expect.objectContaining({ en: expect.any(String) }) }],
    });
    await world.twins.control("DELETE", "/faults");
    await refusePictures();
    const redrawn = await regenerate();
    expect(resultOf(redrawn).text).not.toBe(resultOf(run).text);
    expect(resultOf(redrawn)).toMatchObject({ pictures: resultOf(run).pictures, regenerations: 1 });
    expect(codesOf(redrawn)).toEqual(["picture_kept"]);
    expect(await files()).toHaveLength(1);
    expect(await world.published(whose, run.run_id)).toMatchObject({ status: "done", tokens: run.tokens });
  });

  // covers seo: E26
  // covers seo: E27
  it("is lost after a day, or when its dialog ends, without a refund; one whose category is deleted is refunded", async () => {
    const { whose, categoryId } = business;
    const [late, left] = [await written("telegram"), await written("vk")];
    expect(await losePost(world.deciding, whose, left.run_id)).toBe(true);
    expect(await losePost(world.deciding, whose, left.run_id)).toBe(false);
    world.advance(23 * 3_600_000);
    await sweep();
    expect((await again(late)).status).toBe("review");
    world.advance(2 * 3_600_000);
    await sweep();
    for (const lost of [late, left])
      expect(await again(lost)).toMatchObject({
        ...{ status: "expired", tokens: lost.tokens },
        receipt: [{ state: "settled" }, { state: "settled" }],
      });
    expect(await balance()).toBe(1_500 - late.tokens - left.tokens);
    expect([await files(), (await reservations()).length]).toEqual([[], 0]);
    await expect(world.publish(whose, late.run_id)).rejects.toMatchObject({
      said: { ru: "Сессия истекла. Сгенерируйте пост заново." },
    });

    const orphan = await written("vk");
    await world.sql`delete from seo.categories where id = ${categoryId}`;
    await sweep();
    expect(await again(orphan)).toMatchObject({ status: "expired", tokens: 0 });
  });

  // covers seo: E02
  // covers seo: E08
  it("that its network refuses is refunded with the reason, and a key that was revoked has to be given again", async () => {
    const { whose } = business;
    const run = await written("vk");
    await world.twins.control("PATCH", "/vk/tokens/vk1.a.administrator", { revoked: true });
    const failed = await world.published(whose, run.run_id);
    expect(failed).toMatchObject({ status: "failed", tokens: 0 });
    expect(failed.error?.message.ru).toMatch(
      new RegExp(
        `^Не удалось опубликовать в VK: Лавка чая\\..*Токены возвращены: ${run.tokens}\\. Переподключите VK\\.$`,
      ),
    );
    expect(await balance()).toBe(1_500);
    expect(await history()).toMatchObject([{ status: "failed", platform_type: "vk", tokens_spent: 0 }]);
    expect(await readConnection(world.sql, whose, business.vk)).toMatchObject({ status: "error" });
    expect([await files(), (await reservations()).length]).toEqual([[], 0]);
  });
});

it("a post of a schedule is published without a review, and refunded if its connection is deleted meanwhile", async () => {
  const { whose, categoryId, vk, telegram } = business;
  const scheduled = (connectionId: number) =>
    world.order(whose, categoryId, { connectionId, origin: "schedule" });
  const { run_id } = await scheduled(vk);
  expect(await world.performed(whose, run_id)).toMatchObject({ status: "publishing" });
  expect(await world.delivered(whose, run_id)).toMatchObject({ status: "done" });
  expect(await world.shown("vk")).toHaveLength(1);

  const deleting: AnyRunKind = {
    ...world.kinds.post,
    perform: (run, input) =>
      world.kinds.post.perform(
        {
          ...run,
          async step(name, spec, work) {
            if (name === "likeness")
              await world.sql`delete from seo.platform_connections where id = ${telegram}`;
            return run.step(name, spec, work);
          },
        },
        input,
      ),
  };
  const doomed = await scheduled(telegram);
  expect(await world.performed(whose, doomed.run_id, world.runsOf(deleting))).toMatchObject({
    ...{ status: "failed", error: { code: "not_found" }, tokens: 0 },
  });
  expect((await history())[0]).toMatchObject({ status: "failed", platform_type: "telegram" });
});

it("a post is ordered, looked at, published and adapted over HTTP, and refused with a code where that cannot be", async () => {
  const { whose, categoryId, telegram, vk } = business;
  const server = await startTestHttpServer({
    ...{ sql: world.sql, clock: world.clock },
    modules: [
      {
        ...{ name: "seo", problems: seoProblems },
        routes: (app) =>
          postRoutes(app, {
            ...{ ...world.ordering, kinds: world.kinds, articles: world.deps, cleanUp: world.cleanUp },
          }),
      },
    ],
  });
  try {
    const headers = await server.bearer(["read", "write", "operate"], whose.workspaceId);
    const call = async (method: "GET" | "POST", path: string, body?: object) => {
      const url = `/api/v1/seo/users/${whose.userId}${path}`;
      const answer = await server.call(url, { method, headers, body });
      return { status: answer.status, body: answerShape.parse(await answer.json()) };
    };
    const ordered = await call("POST", `/categories/${categoryId}/posts`, { connection_id: telegram });
    expect(ordered).toMatchObject({ status: 202, body: { tokens: 60, repeated: false } });
    const post = `/posts/${ordered.body.run_id}`;
    expect(await call("POST", `${post}/publish`)).toMatchObject({
      status: 409,
      body: { code: "text_not_reviewed" },
    });
    await world.performed(whose, ordered.body.run_id);
    expect(await call("POST", `${post}/cross`, { connection_id: vk })).toMatchObject({
      ...{ status: 422, body: { code: "not_publishable" } },
    });
    expect(await call("POST", `${post}/regenerate`)).toMatchObject({ status: 202, body: { tokens: 0 } });
    await world.performed(whose, ordered.body.run_id);
    expect(await call("POST", `${post}/publish`)).toMatchObject({
      status: 202,
      body: { connection_id: telegram },
    });
    await world.delivered(whose, ordered.body.run_id);
    expect(await call("GET", post)).toMatchObject({
      ...{
        status: 200,
        body: { status: "done", result: { regenerations: 1, post_url: expect.any(String) } },
      },
    });
    const [{ id } = { id: 0 }] = await history();
    expect(await call("POST", `/publications/${id + 1}/cross`, { connection_id: vk })).toMatchObject({
      ...{ status: 404, body: { code: "not_found" } },
    });
    const cross = await call("POST", `/publications/${id}/cross`, { connection_id: vk });
    expect(cross).toMatchObject({ status: 202, body: { tokens: 20 } });
    expect(await call("POST", `/posts/${cross.body.run_id}/cancel`)).toMatchObject({
      ...{ status: 200, body: { ended: "cancelled" } },
    });
  } finally {
    await server.stop();
  }
});

it("a post is estimated as it is ordered: a Pin is short and has one picture", async () => {
  const { whose, categoryId } = business;
  const estimate = await estimateWork(
    { ...world.ordering, sources: world.deps.sources },
    whose,
    categoryId,
    "pinterest",
  );
  expect(estimate).toMatchObject({
    ...{
      work: "social_post",
      words: { from: 25, to: 60 },
      images: 1,
      tokens: { about: 40, from: 40, to: 40 },
    },
    ...{ can_begin: true, missing: [] },
  });
});

describe("a published post", () => {
  it("is adapted to other networks for ten tokens per hundred words, with its picture, each after a review of its own", async () => {
    const { whose, vk, pinterest } = business;
    const source = await published("telegram");
    const [post, pin] = [
      await world.adapted(whose, source.run_id, { connectionId: vk }),
      await world.adapted(whose, source.run_id, { connectionId: pinterest }),
    ];
    expect(post).toMatchObject({ kind: "cross_post", status: "review" });
    const { words, text } = resultOf(post);
    expect(text).not.toContain("<b>");
    expect([post.tokens, pin.tokens]).toEqual([Math.ceil(words / 100) * 10, 10]);
    expect(post.receipt).toMatchObject([{ operation: "cross_post" }]);
    expect(resultOf(pin)).toMatchObject({ source_run_id: source.run_id, phrase: "зелёный чай" });

    await world.published(whose, pin.run_id);
    expect(await world.shown("pinterest")).toMatchObject([{ media: [{ kind: "photo" }] }]);
    expect((await history())[0]).toMatchObject({
      ...{ platform_type: "pinterest", content_type: "social_post", images_count: 1, tokens_spent: 10 },
    });
    // Skipped: the others are as they were.
    expect(await world.cancel(whose, post.run_id)).toBe("cancelled");
    expect(await balance()).toBe(1_500 - source.tokens - pin.tokens);
    expect(await files()).toHaveLength(2);
    world.advance(7.5 * 24 * 3_600_000);
    await forgetPictures(world.deps);
    expect(await files()).toEqual([]);
    expect(codesOf(await world.adapted(whose, source.run_id, { connectionId: vk }))).toEqual([
      "picture_gone",
    ]);
  });

  it("is adapted from the history as well, if it is a post of the person's own that succeeded", async () => {
    const { whose, telegram, vk } = business;
    const source = await published("telegram");
    const [{ id } = { id: 0 }] = await history();
    expect(await runOfPublication(world.sql, whose, id)).toBe(source.run_id);
    await expect(runOfPublication(world.sql, { ...whose, userId: 1 }, id)).rejects.toMatchObject({
      code: "not_found",
    });
    const logged = (entry: Partial<NewPublication>) =>
      logPublication(
        world.sql,
        whose,
        {
          ...{ project_id: business.projectId, connection_id: telegram, platform_type: "telegram" },
          ...{ content_type: "social_post", status: "success", content_hash: 7n, ...entry },
        },
        world.clock.now(),
      );
    for (const [entry, said] of [
      [{ content_type: "article" }, "это другая публикация"],
      [{ status: "failed" }, "Сначала опубликуйте"],
      [{}, "больше не хранится"],
    ] as const)
      await expect(runOfPublication(world.sql, whose, await logged(entry))).rejects.toMatchObject({
        said: { ru: expect.stringContaining(said) },
      });
    expect(await world.adapted(whose, source.run_id, { connectionId: vk })).toMatchObject({
      status: "review",
    });
  });

  // covers seo: E52
  it("that cannot be adapted gives back its own share only, and can be tried again", async () => {
    const { whose, vk, pinterest } = business;
    const source = await published("telegram");
    await refuseTexts();
    expect(await world.adapted(whose, source.run_id, { connectionId: vk })).toMatchObject({
      ...{ status: "failed", tokens: 0 },
      error: { message: { ru: "Не удалось адаптировать для VK. Токены возвращены." } },
    });
    expect(await balance()).toBe(1_500 - source.tokens);
    expect(await again(source)).toMatchObject({ status: "done", tokens: source.tokens });
    await world.twins.control("DELETE", "/faults");
    expect(await world.adapted(whose, source.run_id, { connectionId: pinterest })).toMatchObject({
      status: "review",
    });
  });

  it("is not adapted before it is published, nor to where it stands, nor to a board without a picture", async () => {
    const { whose, categoryId, telegram, vk, pinterest } = business;
    await changeSettings(world.ordering, whose, categoryId, "telegram", { image: { count: 0 } });
    const run = await written("telegram");
    const cross = (connectionId: number) =>
      orderCrossPost(world.ordering, world.kinds.crossPost, whose, run.run_id, { connectionId });
    await expect(cross(vk)).rejects.toMatchObject({
      said: { ru: expect.stringContaining("Сначала опубликуйте") },
    });
    const { tokens } = await world.published(whose, run.run_id);
    await expect(cross(telegram)).rejects.toMatchObject({
      said: { ru: expect.stringContaining("уже опубликован там") },
    });
    await expect(cross(pinterest)).rejects.toMatchObject({
      said: { ru: expect.stringContaining("Пину нужно изображение") },
    });
    expect(await balance()).toBe(1_500 - tokens);
  });
});
