import { parse } from "yaml";
import { z } from "zod";

/** What an article may say about itself above its text, between lines of `---`. Other fields are left to whoever reads them. */
const shape = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  phrase: z.string().optional(),
  secondary: z.array(z.string()).optional(),
  target: z.object({ min: z.int().min(1), max: z.int().min(1) }).optional(),
});

export type FrontMatter = z.infer<typeof shape>;

export type WithFrontMatter =
  | { readonly ok: true; readonly fields: FrontMatter; readonly body: string }
  | { readonly ok: false; readonly reason: string };

const opening = /^\uFEFF?---[^\S\n]*\r?\n/;
const closing = /^---[^\S\n]*\r?$/m;

export function readFrontMatter(source: string): WithFrontMatter {
  const start = opening.exec(source);
  if (!start) return { ok: true, fields: {}, body: source };
  const rest = source.slice(start[0].length);
  const end = closing.exec(rest);
  if (!end) return { ok: true, fields: {}, body: source };
  try {
    // Without aliases a small text cannot grow into a large value.
    const fields: unknown = parse(rest.slice(0, end.index), { maxAliasCount: 0 }) ?? {};
    const read = shape.safeParse(fields);
    if (!read.success) return { ok: false, reason: z.prettifyError(read.error) };
    return { ok: true, fields: read.data, body: rest.slice(end.index + end[0].length) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
