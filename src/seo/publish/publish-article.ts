import { z } from "zod";
import { createLedger } from "../../billing/index.ts";
import {
  type DeliveryEnd,
  defineEndTask,
  type EndTask,
  keepFile,
  publishAddressed,
} from "../../delivery/index.ts";
import { Problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import { nowhere, renderPage } from "../articles/render-page.ts";
import { type ArticleOrder, type ArticleResult, articleOrder, articleResult } from "../articles/shape.ts";
import { ownerOf } from "../connections/connect.ts";
import { readConnection } from "../connections/connections.ts";
import type { SeoConnection } from "../connections/shape.ts";
import { siteMetadataOf } from "../connections/site-metadata.ts";
import type { Whose } from "../people/whose.ts";
import { readPicture } from "../pictures/stored-files.ts";
import { SeoProblem } from "../problems.ts";
import { logPublication } from "../publications/publications.ts";
import { type PictureFile, toArticle } from "../render/index.ts";
import type { Runs } from "../runs/create-runs.ts";
import type { Said } from "../said.ts";

export interface PublishDeps {
  readonly clock: Clock;
  readonly storage: ObjectStorage;
  readonly platforms: Platforms;
}

/** Copies the pictures of an article to the media of deliveries, where they live as long as its post needs them. */
export async function pictureFiles(
  deps: PublishDeps & { readonly sql: Sql },
  { workspaceId, runId }: { readonly workspaceId: string; readonly runId: string },
  { pictures, article }: ArticleResult,
): Promise<(PictureFile | undefined)[]> {
  const { images } = renderPage(article, pictures.map(nowhere));
  return Promise.all(
    pictures.map(async ({ storage_path, media_type, width, height }, index) => {
      const bytes = await readPicture(deps.storage, workspaceId, storage_path);
      if (!bytes) return undefined;
      const extension = media_type === "image/png" ? "png" : "webp";
      const blobRef = `seo-${runId}-${storage_path.split("/").at(-1) ?? index}`;
      const fileName = `${images[index]?.filename ?? `picture-${index + 1}`}.${extension}`;
      await keepFile(deps, workspaceId, { blobRef, bytes, contentType: media_type, fileName, width, height });
      return { blob_ref: blobRef };
    }),
  );
}

export interface ToPublish {
  readonly whose: Whose;
  readonly runId: string;
  readonly order: ArticleOrder;
  readonly result: ArticleResult;
  readonly files: readonly (PictureFile | undefined)[];
  /** A person waits for it until then. */
  readonly waitUntil?: Date | undefined;
}

/** Publishes to the connection of the order; throws if the post cannot be published there. */
export async function publishTo(
  { sql: tx, clock, platforms }: PublishDeps & { readonly sql: Transaction },
  { whose, runId, order, result, files, waitUntil }: ToPublish,
  task: EndTask<Published>,
): Promise<void> {
  const connection = await siteOf(tx, whose, order);
  const site = siteMetadataOf(connection);
  // A picture whose file is gone is left out together with its place.
  const kept = result.pictures.flatMap((picture, index) => (files[index] ? [{ picture, index }] : []));
  const rendered = renderPage(
    { ...result.article, images_meta: kept.map(({ index }) => result.article.images_meta[index] ?? null) },
    kept.map(({ picture }) => nowhere(picture)),
    site.schema_type,
  );
  const payload = toArticle(rendered, {
    ...{ description: result.article.description, focusKeyword: result.article.phrase },
    ...{ categories: site.categories, tags: site.tags, canonicalSite: site.canonical, robots: site.robots },
    fileOf: (index) => files[kept[index]?.index ?? -1] ?? { url: "" },
  });
  const published = await publishAddressed(
    tx,
    whose.workspaceId,
    {
      ...{
        owner: ownerOf(whose),
        run: runId,
        step: "publish",
        channelIds: [connection.channel_id],
        waitUntil,
      },
      post: { payload },
      end: { task, given: { user_id: whose.userId, ...order } },
    },
    { platforms, clock },
  );
  if ("faults" in published) throw new SeoProblem("not_publishable", refused(published.faults));
}

/** The same at the end of a run that nobody reviews: what cannot be published ends the run here. */
export async function publishInto(
  deps: PublishDeps & { readonly sql: Transaction },
  given: ToPublish,
): Promise<void> {
  const { sql: tx, clock } = deps;
  const { whose, runId, order, result } = given;
  try {
    await tx.savepoint((inner) => publishTo({ ...deps, sql: inner }, given, endTask));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The connection may have been deleted while the article was written.
    const said = error instanceof SeoProblem ? error.said : disconnected;
    const failure = { code: error.code, message: said };
    await tx`
      select seo.end_publication(${whose.workspaceId}, ${runId}, null, ${JSON.stringify(failure)}::text::jsonb, ${clock.now()})`;
    await createLedger(tx, clock).giveBack(whose.workspaceId, runId, error.code);
    await logEnd(tx, { whose, order, result, now: clock.now(), error: said.ru });
  }
}

/** The connection an article goes to: a site of the person's own, in the project of the article. */
export async function siteOf(
  sql: Sql | Transaction,
  whose: Whose,
  { project_id, connection_id }: ArticleOrder,
): Promise<SeoConnection & { readonly channel_id: string }> {
  if (connection_id === null) throw new SeoProblem("not_publishable", noSite);
  const connection = await readConnection(sql, whose, connection_id);
  const { channel_id } = connection;
  if (connection.project_id !== project_id || connection.platform_type !== "wordpress")
    throw new SeoProblem("not_publishable", otherPlace);
  if (channel_id === null) throw new SeoProblem("not_publishable", disconnected);
  return { ...connection, channel_id };
}

const published = articleOrder.extend({ user_id: z.int() });
export type Published = z.infer<typeof published>;

/** A task of this name and shape, for those who publish; `createEndTask` makes the one that does the work. */
const endTask: EndTask<Published> = defineEndTask({
  name: "seo.published",
  given: published,
  run: async () => {
    throw new Error("the module that publishes did not register its task");
  },
});

export { endTask as publishedTask };

/** Ends a run when its delivery has ended: done with the link, or refunded with the reason. */
export function createEndTask({ sql, clock, runs, cleanUp }: EndDeps): EndTask<Published> {
  return defineEndTask({
    name: endTask.name,
    given: published,
    async run({ given: { user_id: userId, ...order }, end }) {
      // Errors on the page are told apart from the end.
      if (end.page !== null) return;
      const { workspace_id: workspaceId, run: runId } = end;
      const result = await resultOf(sql, workspaceId, runId);
      if (!result) return;
      const whose = { workspaceId, userId };
      const now = clock.now();
      const isSent = end.outcome === "sent";
      const said = notPublished(end);
      const isEnded = await runs.published(
        { workspaceId, runId },
        isSent
          ? { ok: true, result: end.url === null ? {} : { post_url: end.url } }
          : { ok: false, code: end.error?.code ?? end.outcome, said },
        async (tx) => {
          const tokens = isSent ? await spent(tx, workspaceId, runId) : 0;
          await logEnd(tx, {
            ...{ whose, order, result, now, tokens, url: end.url ?? undefined },
            ...(!isSent && { error: said.ru }),
          });
        },
      );
      if (isEnded) await cleanUp(workspaceId, result);
    },
  });
}

export interface EndDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly runs: Pick<Runs, "published">;
  /** Removes the preview and its files; never throws. */
  readonly cleanUp: (workspaceId: string, result: ArticleResult) => Promise<void>;
}

/** What a run has written so far; undefined if it is no article or has written nothing. */
export async function resultOf(
  sql: Sql | Transaction,
  workspaceId: string,
  runId: string,
): Promise<ArticleResult | undefined> {
  const [run] = await sql<{ result: unknown }[]>`
    select r.result from seo.runs r
    where r.workspace_id = ${workspaceId} and r.id = ${runId} and r.kind = 'article' and r.result is not null`;
  return run && articleResult.parse(run.result);
}

async function spent(tx: Transaction, workspaceId: string, runId: string): Promise<number> {
  const [row] = await tx<[{ tokens: number }]>`
    select coalesce(sum(h.amount), 0)::int as tokens from billing.holds h
    where h.workspace_id = ${workspaceId} and h.run = ${runId} and h.state <> 'returned'`;
  return row.tokens;
}

interface End {
  readonly whose: Whose;
  readonly order: ArticleOrder;
  readonly result: ArticleResult;
  readonly now: Date;
  readonly tokens?: number;
  readonly url?: string | undefined;
  readonly error?: string | undefined;
}

/** Writes the end into the history, unless the project was deleted meanwhile. */
async function logEnd(
  tx: Transaction,
  { whose, order, result, now, tokens = 0, url, error }: End,
): Promise<void> {
  const [project] = await tx`
    select from seo.projects p
    where p.workspace_id = ${whose.workspaceId} and p.user_id = ${whose.userId} and p.id = ${order.project_id}`;
  if (!project) return;
  await logPublication(
    tx,
    whose,
    {
      ...{ project_id: order.project_id, category_id: order.category_id, connection_id: order.connection_id },
      ...{ platform_type: "wordpress", content_type: "article", keyword: result.article.phrase },
      ...{ images_count: result.pictures.length, word_count: result.words, tokens_spent: tokens },
      ...{ ai_model: result.model, generation_time_ms: result.ms, content_hash: BigInt(result.content_hash) },
      ...(result.prompt_version !== null && { prompt_version: `v${result.prompt_version}` }),
      ...(url !== undefined && { post_url: url }),
      ...(error === undefined
        ? { status: "success" as const }
        : { status: "failed" as const, error_message: error }),
    },
    now,
  );
}

const noSite: Said = {
  ru: "Для публикации нужен WordPress-сайт. Подключите его и опубликуйте статью.",
  en: "A WordPress site is needed to publish: connect one and publish the article.",
};
const otherPlace: Said = {
  ru: "Статью можно опубликовать на сайте WordPress этого же проекта.",
  en: "An article can be published on a WordPress site of the same project.",
};
const disconnected: Said = {
  ru: "Сайт отключён. Подключите его заново.",
  en: "The site is disconnected: connect it again.",
};

function refused(faults: readonly { readonly detail: string }[]): Said {
  const details = faults.map(({ detail }) => detail).join(" ");
  return { ru: `Статью нельзя опубликовать: ${details}`, en: `The article cannot be published: ${details}` };
}

function notPublished({ error, outcome, in_doubt }: DeliveryEnd): Said {
  const why = error?.message ?? outcome;
  const doubt = {
    ru: in_doubt ? " Проверьте сайт: часть публикации могла дойти." : "",
    en: in_doubt ? " Look at the site: a part of it may have arrived." : "",
  };
  return {
    ru: `Не удалось опубликовать статью: ${why}. Токены возвращены.${doubt.ru}`,
    en: `The article could not be published: ${why}. The tokens were returned.${doubt.en}`,
  };
}
