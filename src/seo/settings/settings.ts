import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { AdminDeps, By } from "../../workspaces/index.ts";
import { inCategory, noteCategory } from "../categories/categories.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import { type Chosen, inherited } from "./inherit.ts";
import {
  type ContentSettings,
  type ImageChanges,
  imageChanges,
  type PlatformType,
  type TextChanges,
  textChanges,
} from "./shape.ts";

/** The settings of a category, or those that hold for a platform of it. */
export async function readSettings(
  sql: Sql,
  whose: Whose,
  categoryId: number,
  on?: PlatformType,
): Promise<ContentSettings> {
  return inherited(await chosenFor(sql, whose, categoryId, on), on);
}

export interface SettingsChanges {
  readonly image?: ImageChanges | undefined;
  readonly text?: TextChanges | undefined;
}

/** Changes the settings of a category, or of a platform: it then begins with those that hold for it. */
export function changeSettings(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  on: PlatformType | undefined,
  changes: SettingsChanges,
  by?: By,
): Promise<ContentSettings> {
  return inCategory(deps, whose, categoryId, async (tx) => {
    const chosen = await chosenFor(tx, whose, categoryId, on);
    const holds = inherited(chosen, on);
    const before = on
      ? { image: chosen.platform.image ?? holds.image, text: chosen.platform.text ?? holds.text }
      : chosen.category;
    const image = changes.image && { ...before.image, ...changes.image };
    const text = changes.text && inOrder({ ...before.text, ...changes.text });
    await (on
      ? keepOverride(tx, whose, categoryId, on, { image, text })
      : keepOwn(tx, whose, categoryId, { image, text }));
    await noteCategory(tx, deps, whose, categoryId, { settings: changes, platform: on }, by);
    return inherited(await chosenFor(tx, whose, categoryId, on), on);
  });
}

/** Back to what is inherited: a platform to its category's settings, a category to the defaults. */
export function resetSettings(
  deps: AdminDeps,
  whose: Whose,
  categoryId: number,
  on?: PlatformType,
  by?: By,
): Promise<ContentSettings> {
  const { workspaceId } = whose;
  return inCategory(deps, whose, categoryId, async (tx) => {
    await (on
      ? tx`
          delete from seo.platform_content_overrides
          where workspace_id = ${workspaceId} and category_id = ${categoryId} and platform_type = ${on}`
      : tx`
          update seo.categories set image_settings = '{}', text_settings = '{}'
          where workspace_id = ${workspaceId} and id = ${categoryId}`);
    await noteCategory(tx, deps, whose, categoryId, { settings: "reset", platform: on }, by);
    return inherited(await chosenFor(tx, whose, categoryId, on), on);
  });
}

function inOrder(text: TextChanges): TextChanges {
  if (text.words_min === undefined || text.words_max === undefined || text.words_min <= text.words_max)
    return text;
  throw new SeoProblem(
    "value_refused",
    {
      ru: `Минимум слов (${text.words_min}) больше максимума (${text.words_max}).`,
      en: `words_min (${text.words_min}) is above words_max (${text.words_max}).`,
    },
    { pointers: ["/text/words_min"] },
  );
}

interface Kept {
  readonly image: ImageChanges | undefined;
  readonly text: TextChanges | undefined;
}

const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

async function keepOwn(tx: Transaction, { workspaceId }: Whose, categoryId: number, { image, text }: Kept) {
  await tx`
    update seo.categories set
      image_settings = coalesce(${json(image)}::text::jsonb, image_settings),
      text_settings = coalesce(${json(text)}::text::jsonb, text_settings)
    where workspace_id = ${workspaceId} and id = ${categoryId}`;
}

async function keepOverride(
  tx: Transaction,
  { workspaceId }: Whose,
  categoryId: number,
  on: PlatformType,
  { image, text }: Kept,
) {
  if (!image && !text) return;
  await tx`
    insert into seo.platform_content_overrides as o (workspace_id, category_id, platform_type, image_settings, text_settings)
    values (${workspaceId}, ${categoryId}, ${on}, ${json(image)}::text::jsonb, ${json(text)}::text::jsonb)
    on conflict (workspace_id, category_id, platform_type) do update set
      image_settings = coalesce(excluded.image_settings, o.image_settings),
      text_settings = coalesce(excluded.text_settings, o.text_settings)`;
}

async function chosenFor(
  sql: Sql | Transaction,
  { workspaceId, userId }: Whose,
  categoryId: number,
  on: PlatformType | undefined,
): Promise<Chosen> {
  const [row] = await sql<Record<"image" | "text" | "own_image" | "own_text", unknown>[]>`
    select c.image_settings as image, c.text_settings as text, o.image_settings as own_image, o.text_settings as own_text
    from seo.categories c
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    left join seo.platform_content_overrides o
      on o.workspace_id = c.workspace_id and o.category_id = c.id and o.platform_type = ${on ?? null}
    where c.workspace_id = ${workspaceId} and c.id = ${categoryId} and p.user_id = ${userId}`;
  if (!row) throw notFound("category", categoryId);
  return {
    category: { image: imageChanges.parse(row.image), text: textChanges.parse(row.text) },
    platform: {
      image: imageChanges.nullable().parse(row.own_image),
      text: textChanges.nullable().parse(row.own_text),
    },
  };
}
