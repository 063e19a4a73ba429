import { z } from "zod";

/** How templates are called; channels.template_ref holds such a name. */
export const templateId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "Up to 64 small Latin letters, digits, - and _; the first is a letter or a digit",
  );

/** One version of a template as operators read it. */
export const templateSchema = z.object({
  template_id: templateId,
  version: z.int(),
  body: z.string(),
  defaults: z.record(z.string(), z.unknown()),
  active: z.boolean(),
  created_at: z.string(),
});

export type Template = z.infer<typeof templateSchema>;
