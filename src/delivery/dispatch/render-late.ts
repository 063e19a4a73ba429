import type { Sql } from "../../kernel/db/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import { compileFor, type Profile, type Rendering, withText } from "../ingest/compile-for-channel.ts";
import type { StartedDelivery } from "./started-delivery.ts";

/**
 * Compiles a post that came through plain SQL and was not compiled at enqueue, or whose compiled form was stored by an older
 * release in a shape that this one cannot read. The result is stored with the delivery, so that a retry sends exactly the same,
 * even if the template changes.
 */
export async function renderLate(
  sql: Sql,
  delivery: StartedDelivery,
  platforms: Platforms,
): Promise<Rendering> {
  const [row] = await sql<
    [Pick<Profile, "template_ref" | "template"> & { payload: unknown; rendered_text: string | null }]
  >`
    select m.payload, c.template_ref, delivery.active_template(c.workspace_id, c.template_ref) as template,
      -- Of a compiled post it is only what readers see, without markup.
      case when not d.render_meta ? 'compiled' then d.rendered_text end as rendered_text
    from delivery.deliveries d
    join delivery.messages m using (workspace_id, message_id)
    join delivery.channels c using (workspace_id, channel_id)
    where d.workspace_id = ${delivery.workspace_id} and d.delivery_id = ${delivery.delivery_id}`;
  const payload = withText(row.payload, row.rendered_text);
  const rendering = compileFor(payload, { ...delivery, ...row }, platforms);
  if (rendering.ok) {
    await sql`
      select delivery.save_rendering(
        ${delivery.workspace_id}, ${delivery.delivery_id}, ${delivery.claim_token}, ${rendering.text},
        ${sql.json(JSON.parse(JSON.stringify(rendering.meta)))}, ${rendering.template_version ?? null})`;
  }
  return rendering;
}
