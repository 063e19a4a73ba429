/** The price list, the media and the reviews of a category. */
import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { AdminDeps, By } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import { inCategory, noteCategory } from "./categories.ts";
import { type Price, priceText, readPriceLines } from "./price-lines.ts";
import { type Media, mediaLimits, mediaSchema, type Review, reviewLimit, reviewSchema } from "./shape.ts";

export async function readPrices(sql: Sql, whose: Whose, categoryId: number): Promise<Price[]> {
  const { prices } = await row(sql, whose, categoryId);
  return prices === null ? [] : readPriceLines(prices);
}

/** Replaces the price list; none if it is empty. */
export function setPrices(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  prices: readonly Price[],
  by?: By,
): Promise<number> {
  return inCategory(deps, whose, categoryId, async (tx) => {
    const text = prices.length === 0 ? null : priceText(prices);
    await tx`
      update seo.categories set prices = ${text} where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
    await noteCategory(tx, deps, whose, categoryId, { prices: prices.length }, by);
    return prices.length;
  });
}

export async function readMedia(sql: Sql, whose: Whose, categoryId: number): Promise<Media[]> {
  return z.array(mediaSchema).parse((await row(sql, whose, categoryId)).media);
}

/** Adds a file, or replaces what is known of it. */
export function addMedia(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  media: Omit<Media, "uploaded_at">,
  by?: By,
): Promise<Media[]> {
  const file = mediaSchema.safeParse({ ...media, uploaded_at: deps.clock.now().toISOString() });
  if (!file.success)
    return Promise.reject(
      new SeoProblem("file_refused", {
        ru: "Пришлите фото, видео или документ до 20 МБ.",
        en: "Send a photo, a video or a document of at most 20 MB.",
      }),
    );
  const added = file.data;
  return changeMedia(deps, whose, categoryId, (known) => [...without(known, added.file_id), added], by);
}

export function removeMedia(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  fileId: string,
  by?: By,
): Promise<Media[]> {
  const change = (known: readonly Media[]) => {
    const left = without(known, fileId);
    if (left.length === known.length) throw notFound("file", fileId);
    return left;
  };
  return changeMedia(deps, whose, categoryId, change, by);
}

const without = (media: readonly Media[], fileId: string) =>
  media.filter(({ file_id }) => file_id !== fileId);

function changeMedia(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  change: (known: readonly Media[]) => Media[],
  by: By | undefined,
): Promise<Media[]> {
  return inCategory(deps, whose, categoryId, async (tx) => {
    const known = z.array(mediaSchema).parse((await row(tx, whose, categoryId)).media);
    const media = change(known);
    if (media.length > mediaLimits.files)
      throw new SeoProblem("value_refused", {
        ru: `В категории может быть не больше ${mediaLimits.files} файлов. Удалите лишние.`,
        en: `A category holds at most ${mediaLimits.files} files: delete some first.`,
      });
    await tx`
      update seo.categories set media = ${JSON.stringify(media)}::text::jsonb
      where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
    await noteCategory(tx, deps, whose, categoryId, { media: media.length }, by);
    return media;
  });
}

export async function readReviews(
  sql: Sql | Transaction,
  whose: Whose,
  categoryId: number,
): Promise<Review[]> {
  return z.array(reviewSchema).parse((await row(sql, whose, categoryId)).reviews);
}

/** Replaces the reviews. */
export function setReviews(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  reviews: readonly Review[],
  by?: By,
): Promise<Review[]> {
  const kept = z.array(reviewSchema).parse(reviews);
  return inCategory(deps, whose, categoryId, async (tx) => {
    if (kept.length > reviewLimit)
      throw new SeoProblem("value_refused", {
        ru: `В категории может быть не больше ${reviewLimit} отзывов.`,
        en: `A category holds at most ${reviewLimit} reviews.`,
      });
    await tx`
      update seo.categories set reviews = ${JSON.stringify(kept)}::text::jsonb
      where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
    await noteCategory(tx, deps, whose, categoryId, { reviews: kept.length }, by);
    return kept;
  });
}

interface Row {
  readonly prices: string | null;
  readonly media: unknown;
  readonly reviews: unknown;
}

async function row(sql: Sql | Transaction, { workspaceId, userId }: Whose, categoryId: number): Promise<Row> {
  const [found] = await sql<Row[]>`
    select c.prices, c.media, c.reviews
    from seo.categories c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.workspace_id = ${workspaceId} and c.id = ${categoryId} and p.user_id = ${userId}`;
  if (!found) throw notFound("category", categoryId);
  return found;
}
