import type { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type Platforms, type Preview, restored } from "../../platforms/index.ts";
import { contentErrors } from "../ingest/body.ts";
import { channelOf, compileFor, type Profile } from "../ingest/compile-for-channel.ts";
import type { RenderReport, renderBody } from "./render-shape.ts";

export interface RenderDeps {
  readonly sql: Sql;
  readonly platforms: Platforms;
}

type PostForChannel = z.infer<typeof renderBody>;

interface Target extends Omit<Profile, "key"> {
  readonly channel_id: string;
  readonly title: string | null;
  readonly normalized: unknown;
  readonly zone: string;
}

/** Renders a post for a channel. Nothing is stored and nothing is sent. */
export async function renderPost(
  { sql, platforms }: RenderDeps,
  workspaceId: string,
  post: PostForChannel,
): Promise<RenderReport> {
  const errors = contentErrors({ payload: post.payload });
  if (errors[0]) throw problem("invalid_request", { detail: errors[0].detail, errors });
  const target = withTried(await targetOf(sql, workspaceId, post), post.template);
  const profile = post.strict ? { ...target, settings: { ...target.settings, strict: true } } : target;
  const rendering = compileFor(target.normalized, profile, platforms);
  const platform = platforms.platformOf(target.platform);
  const compiled = rendering.ok ? restored(rendering.meta.compiled, rendering.text) : undefined;
  const previews = (compiled?.requests ?? []).map((request) => platform.preview(request, channelOf(profile)));
  const { channel_id, target_id, title } = target;
  return {
    ok: rendering.ok,
    channel: { channel_id, platform: target.platform, target_id, title },
    template_version: rendering.template_version ?? null,
    messages: previews.map(messageOf),
    requests: previews.map(({ http }) => http),
    losses: [...(compiled?.losses ?? [])],
    repairs: rendering.ok ? [...(rendering.meta.repairs ?? [])] : [],
    error: rendering.ok ? null : { code: rendering.error.code, message: rendering.error.message },
  };
}

/** The channel as it would be with the template that is tried. */
function withTried(target: Target, tried: PostForChannel["template"]): Target {
  if (!tried) return target;
  const { body, defaults = {} } = tried;
  const template = { id: "draft", version: 0, body, defaults, timezone: target.zone };
  return { ...target, template_ref: template.id, template };
}

async function targetOf(sql: Sql, workspaceId: string, post: PostForChannel): Promise<Target> {
  const raw = sql.json(JSON.parse(JSON.stringify({ payload: post.payload })));
  const [row] = await sql<Target[]>`
    select c.channel_id, c.title, c.platform, c.target_id, c.send_mode, c.settings, c.template_ref,
      delivery.active_template(c.workspace_id, c.template_ref) as template, delivery.normalize(${raw}) as normalized,
      w.timezone as zone
    from delivery.channels c join workspaces.workspaces w using (workspace_id)
    where c.workspace_id = ${workspaceId} and c.channel_id = ${post.channel_id}`;
  if (!row) throw problem("not_found", { detail: `There is no channel ${post.channel_id}.` });
  return row;
}

function messageOf({ shown }: Preview): RenderReport["messages"][number] {
  return {
    ...(shown.title !== undefined && { title: shown.title }),
    text: shown.text,
    marks: shown.marks.map(({ kind, offset, length }) => ({ ...kind, offset, length })),
    media: [...shown.media],
    buttons: shown.buttons.map((row) => [...row]),
  };
}
