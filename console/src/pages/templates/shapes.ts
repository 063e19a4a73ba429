import * as z from "zod/mini";

export const template = z.object({
  template_id: z.string(),
  version: z.number(),
  body: z.string(),
  defaults: z.record(z.string(), z.unknown()),
  active: z.boolean(),
  created_at: z.string(),
});
export type Template = z.infer<typeof template>;

export const versions = z.object({ versions: z.array(template) });

export const channel = z.object({
  channel_id: z.string(),
  title: z.nullable(z.string()),
  target_id: z.string(),
  platform: z.string(),
  template_ref: z.nullable(z.string()),
});
export type Channel = z.infer<typeof channel>;

export const rendering = z.object({
  ok: z.boolean(),
  messages: z.array(
    z.object({
      title: z.optional(z.string()),
      text: z.string(),
      marks: z.array(z.object({ type: z.string(), offset: z.number(), length: z.number() })),
      buttons: z.array(z.array(z.object({ text: z.string() }))),
    }),
  ),
  losses: z.array(z.object({ code: z.string(), message: z.string() })),
  repairs: z.array(z.object({ code: z.string(), message: z.string() })),
  error: z.nullable(z.object({ message: z.string() })),
});
export type Rendering = z.infer<typeof rendering>;
