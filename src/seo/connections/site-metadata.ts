/** How a connected site publishes: labels, links, and what searches and robots are told. */
import { z } from "zod";
import { isWebAddress, robotWords } from "../../content/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange, reason } from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { articleTypes } from "../render/json-ld.ts";
import { readConnection } from "./connections.ts";
import type { SeoConnection } from "./shape.ts";

const label = z.string().trim().min(1).max(100);
const webAddress = z
  .string()
  .trim()
  .max(500)
  .refine(isWebAddress, "an address begins with http:// or https://");

/** Links that an article gets if nothing else is set. */
export const usualInternalLinks = 5;

const fields = {
  categories: z.array(label).max(20).describe("Categories of the site, by name; missing ones are made"),
  tags: z.array(label).max(50).describe("Tags of the site"),
  internal_links: z
    .int()
    .min(0)
    .max(10)
    .describe(`Links from an article to pages of the site; ${usualInternalLinks} unless set`),
  external_links: z
    .array(z.strictObject({ url: webAddress, title: z.string().trim().min(2).max(200) }))
    .max(5)
    .describe("Pages elsewhere that an article links to where it speaks of their title"),
  canonical: webAddress.describe("The site of the originals: an article's original is below it"),
  robots: robotWords.describe("What search robots are told of articles"),
  schema_type: z.enum(articleTypes).describe("What articles are by schema.org; Article unless set"),
};

export const siteMetadata = z.strictObject(fields).partial();
export type SiteMetadata = z.infer<typeof siteMetadata>;

const cleared = (schema: z.ZodType, about: string | undefined) =>
  schema
    .nullable()
    .optional()
    .describe(`${about ?? ""}; null clears it`);

export const siteMetadataChanges = z
  .strictObject({
    categories: cleared(fields.categories, fields.categories.description),
    tags: cleared(fields.tags, fields.tags.description),
    internal_links: cleared(fields.internal_links, fields.internal_links.description),
    external_links: cleared(fields.external_links, fields.external_links.description),
    canonical: cleared(fields.canonical, fields.canonical.description),
    robots: cleared(fields.robots, fields.robots.description),
    schema_type: cleared(fields.schema_type, fields.schema_type.description),
    reason: reason.optional(),
  })
  .refine(
    ({ reason: _, ...changes }) => Object.values(changes).some((value) => value !== undefined),
    "Give at least one field",
  );
export type SiteMetadataChanges = Omit<z.infer<typeof siteMetadataChanges>, "reason">;

/** What was set for a site; what older versions kept there is ignored. */
export function siteMetadataOf({ metadata }: Pick<SeoConnection, "metadata">): SiteMetadata {
  const known = Object.entries(metadata).filter(([name]) => Object.hasOwn(fields, name));
  return siteMetadata.catch({}).parse(Object.fromEntries(known));
}

/** Changes how a site publishes; fields that are not named stay. */
export async function changeSiteMetadata(
  { sql, clock }: AdminDeps,
  whose: Whose,
  connectionId: number,
  changes: SiteMetadataChanges,
  by?: By,
): Promise<SeoConnection> {
  const { platform_type } = await readConnection(sql, whose, connectionId);
  if (platform_type !== "wordpress")
    throw new SeoProblem("value_refused", {
      ru: "Рубрики, ссылки и настройки поиска есть только у сайта WordPress.",
      en: "Only a WordPress site has categories, links and settings for searches.",
    });
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const set = Object.fromEntries(given.filter(([, value]) => value !== null));
  const removed = given.filter(([, value]) => value === null).map(([name]) => name);
  return inOneChange(sql, async (tx) => {
    await tx`
      update seo.platform_connections set metadata = (metadata - ${removed}::text[]) || ${JSON.stringify(set)}::text::jsonb
      where workspace_id = ${whose.workspaceId} and id = ${connectionId}`;
    if (by)
      await noteChange(tx, {
        ...{ workspaceId: whose.workspaceId, now: clock.now(), by },
        meta: {
          ...{ object: "seo_connection", user_id: whose.userId, connection_id: connectionId },
          changed: given.map(([name]) => name),
        },
      });
    return readConnection(tx, whose, connectionId);
  });
}

/** Keeps how many pages of a site articles may link to. */
export async function keepLinksFound(
  { sql }: { readonly sql: Sql },
  { workspaceId, userId }: Whose,
  connectionId: number,
  count: number,
): Promise<void> {
  await sql`
    update seo.platform_connections c set metadata = c.metadata || jsonb_build_object('links_found', ${count}::int)
    from seo.projects p
    where c.workspace_id = ${workspaceId} and c.id = ${connectionId}
      and p.workspace_id = c.workspace_id and p.id = c.project_id and p.user_id = ${userId}`;
}
