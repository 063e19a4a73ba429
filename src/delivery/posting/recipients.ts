import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import { contentErrors, pushBody } from "../ingest/body.ts";
import { namedChannelSchema } from "../read/channel-name.ts";

const { payload, tags, channel_ids, tagged_only } = pushBody.shape;

/** As much of a post as decides who gets it. */
export const recipientsBody = z.strictObject({ payload, tags, channel_ids, tagged_only });
export type RecipientsBody = z.infer<typeof recipientsBody>;

const filters = [
  "disabled",
  "exclude",
  "include_any",
  "include_all",
  "takes_everything",
  "not_named",
] as const;

export const recipientsSchema = z
  .object({
    timezone: z.string().describe("The workspace's"),
    tags: z.array(z.string()).describe("The post's own, with the hashtags of its text"),
    channels: z
      .array(
        namedChannelSchema.extend({
          timezone: z.string().describe("Its own, or the workspace's"),
          limits: z.object({
            text: z.int().describe("The longest text"),
            caption: z.int().nullable().describe("The longest text beside a file, where it is shorter"),
          }),
          because: z
            .enum(filters)
            .nullable()
            .describe("null: it gets the post; otherwise the first filter that excludes it"),
          because_tags: z.array(z.string()).describe("What that filter asks for, or excludes; the first ten"),
        }),
      )
      .describe(
        "Every channel of the workspace that is not a user's connection, those that get the post first",
      ),
  })
  .meta({ id: "Recipients" });
export type Recipients = z.infer<typeof recipientsSchema>;

interface Judged extends Omit<Recipients["channels"][number], "limits"> {}

/** Which channels would get a post, and why the others would not. */
export async function recipientsOf(
  { sql, platforms }: { readonly sql: Sql; readonly platforms: Platforms },
  workspaceId: string,
  post: RecipientsBody,
): Promise<Recipients> {
  // A post that is still being written may have neither text nor media, which is told of the whole payload.
  const errors = contentErrors(post).filter(({ pointer }) => pointer !== "/payload");
  if (errors.length > 0) throw problem("invalid_request", { errors });
  const raw = JSON.stringify({ payload: post.payload, tags: post.tags ?? [] });
  const named = post.channel_ids ?? null;
  const [row] = await sql<[{ timezone: string; tags: string[]; channels: Judged[] }]>`
    with post as (
      select delivery.tags_of(p.raw, delivery.normalize(p.raw)) as tags from (select ${raw}::text::jsonb as raw) p
    ),
    judged as (
      select delivery.channel_facts(c) as facts, coalesce(c.timezone, w.timezone) as timezone, c.channel_id, c.route_any, c.route_all,
        c.route_none, case
          when ${named}::uuid[] is null then delivery.passes_by(c, post.tags, ${post.tagged_only ?? false})
          when not c.enabled then 'disabled'
          when c.channel_id <> all (${named}::uuid[]) then 'not_named'
        end as because
      from delivery.channels c
      join workspaces.workspaces w using (workspace_id)
      cross join post
      where c.workspace_id = ${workspaceId} and not c.addressed_only
    )
    select w.timezone, post.tags, coalesce((
      select jsonb_agg(j.facts || jsonb_build_object(
        'timezone', j.timezone, 'because', j.because, 'because_tags', array(
          select t from unnest(case j.because
            when 'include_any' then j.route_any
            when 'include_all' then array(select t from unnest(j.route_all) as t where t <> all (post.tags))
            when 'exclude' then array(select t from unnest(j.route_none) as t where t = any (post.tags))
          end) as t order by t limit 10)) order by j.because is not null, j.channel_id)
      from judged j), '[]') as channels
    from workspaces.workspaces w cross join post where w.workspace_id = ${workspaceId}`;
  return {
    ...row,
    channels: row.channels.map((channel) => {
      const { text, caption } = platforms.platformOf(channel.platform).limits;
      return { ...channel, limits: { text, caption: caption ?? null } };
    }),
  };
}
