import { problem } from "../../../http/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
import { type AdminDeps, type By, noteChange, type Rehearsal } from "../../../workspaces/index.ts";
import { templateFault } from "../../templates/render-template.ts";
import { inOneChange } from "../change.ts";
import { notFound, readTemplate } from "./read-templates.ts";
import type { NewVersion, Template } from "./template-shape.ts";

/**
 * Stores a body as the next version; earlier versions stay unchanged. A body that cannot be parsed is refused with the position
 * of the error.
 */
export async function saveTemplateVersion(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { template_id: templateId, body, defaults = {}, activate = false }: NewVersion,
  by: By,
): Promise<Template> {
  const fault = templateFault(body);
  if (fault) {
    const detail = `The template cannot be read: ${fault.message}.`;
    throw problem("unprocessable", { detail, errors: [{ pointer: "/body", detail }] });
  }
  const now = clock.now();
  const version = await inOneChange(sql, async (tx) => {
    const [saved] = await tx<[{ version: number }]>`
      select delivery.save_template(${workspaceId}, ${templateId}, ${body}, ${JSON.stringify(defaults)}::text::jsonb,
        ${activate}, ${now}) as version`;
    const meta = {
      object: "template",
      template_id: templateId,
      version: saved.version,
      created: true,
      active: activate,
    };
    await noteChange(tx, { workspaceId, now, by, meta });
    return saved.version;
  });
  return readTemplate(sql, workspaceId, templateId, version);
}

/** New posts are rendered with this version; posts that are already in the queue keep their text. */
export async function activateVersion(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  templateId: string,
  version: number,
  by: By,
): Promise<Template> {
  const now = clock.now();
  await inOneChange(sql, async (tx) => {
    const [{ found }] = await tx<[{ found: boolean }]>`
      select delivery.activate_template(${workspaceId}, ${templateId}, ${version}) as found`;
    if (!found) throw notFound(templateId, version);
    const meta = { object: "template", template_id: templateId, version, activated: true };
    await noteChange(tx, { workspaceId, now, by, meta });
  });
  return readTemplate(sql, workspaceId, templateId, version);
}

export async function removeTemplate(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  templateId: string,
  by: By,
  rehearsal: Rehearsal = {},
): Promise<void> {
  const work = async (tx: Transaction) => {
    const [{ outcome }] = await tx<[{ outcome: "deleted" | "in_use" | "not_found" }]>`
      select delivery.delete_template(${workspaceId}, ${templateId}) as outcome`;
    if (outcome === "not_found") throw notFound(templateId);
    if (outcome === "in_use") {
      const [{ channels }] = await tx<[{ channels: string }]>`
        select delivery.channels_in_words(array_agg(coalesce(title, target_id) order by channel_id)) as channels
        from delivery.channels where workspace_id = ${workspaceId} and template_ref = ${templateId}`;
      throw problem("conflict", {
        detail: `The template still writes the posts of ${channels}: give them another first.`,
      });
    }
    const meta = { object: "template", template_id: templateId, deleted: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
  };
  await inOneChange(sql, work, rehearsal);
}
