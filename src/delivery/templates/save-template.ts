import { parseModes } from "../../content/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { templateFault } from "./render-template.ts";
import type { TemplateError } from "./template-error.ts";

export interface NewTemplate {
  readonly workspaceId: string;
  readonly templateId: string;
  readonly body: string;
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Whether posts are written by this version from now on. */
  readonly activate?: boolean;
}

export type SavedTemplate =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly error: TemplateError };

/** Stores a new version; earlier ones stay as they are. A body that cannot be parsed is refused with its place named. */
export async function saveTemplate(
  sql: Sql,
  { workspaceId, templateId, body, defaults = {}, activate = false }: NewTemplate,
): Promise<SavedTemplate> {
  const error = templateFault(body) ?? defaultsFault(defaults);
  if (error) return { ok: false, error };
  const [row] = await sql<[{ version: number }]>`
    select delivery.save_template(${workspaceId}, ${templateId}, ${body}, ${JSON.stringify(defaults)}::text::jsonb,
                                  ${activate}) as version`;
  return { ok: true, version: row.version };
}

/** `parse_mode` among the defaults says in which markup the body is written. */
function defaultsFault({ parse_mode: mode }: Readonly<Record<string, unknown>>): TemplateError | undefined {
  if (mode === undefined || parseModes.some((known) => known === mode)) return undefined;
  return { message: `defaults.parse_mode must be one of ${parseModes.join(", ")}` };
}
