import { z } from "zod";
import { normal } from "../web/phrases.ts";
import { languages, limits, locations } from "./limits.ts";

/** A refusal by DataForSEO, with its own number. */
export class TaskError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const invalidField = (name: string) => new TaskError(40501, `Invalid Field: '${name}'.`);

/** A task's fields, with the field in the words of the provider when one is wrong. */
export function readTask<S extends z.ZodType>(shape: S, task: unknown): z.output<S> {
  const read = shape.safeParse(task);
  if (read.success) return read.data;
  throw invalidField(String(read.error.issues[0]?.path[0] ?? "task"));
}

const place = {
  location_code: z.int().refine((code) => locations.some(({ location_code }) => location_code === code)),
  language_code: z.enum(languages),
};

const keyword = z
  .string()
  .min(1)
  .max(limits.keyword.length)
  .refine((text) => text.trim().split(/\s+/).length <= limits.keyword.words)
  .transform(normal);

const keywords = (max: number) => z.array(keyword).min(1).max(max);

const paged = {
  limit: z.int().min(1).max(limits.limit).default(100),
  offset: z.int().min(0).default(0),
};

/** What ends a crawl; a protocol before the value is refused. */
const target = z.object({
  match_value: z
    .string()
    .min(1)
    .refine((value) => !value.includes("://")),
  match_type: z.enum(["domain", "with_subdomains", "wildcard"]),
});
export type Target = z.infer<typeof target>;

/** A search, unlike a phrase of Labs, may be long; `%` and `+` are decoded. */
const search = z
  .string()
  .min(1)
  .max(limits.serp.keyword)
  .refine((text) => !/%(?![\da-f]{2})/i.test(text))
  .transform((text) => decodeURIComponent(text.replaceAll("+", " ")))
  .transform(normal);

const serp = {
  keyword: search,
  ...place,
  depth: z.int().min(1).max(limits.serp.depth).default(10),
  stop_crawl_on_match: z.array(target).min(1).max(limits.serp.targets).default([]),
};

export const shapes = {
  suggestions: z.object({ keyword, ...place, ...paged, include_seed_keyword: z.boolean().default(false) }),
  related: z.object({ keyword, ...place, ...paged, depth: z.int().min(0).max(limits.depth).default(1) }),
  overview: z.object({ keywords: keywords(limits.keywords.overview), ...place }),
  difficulty: z.object({ keywords: keywords(limits.keywords.difficulty), ...place }),
  intent: z.object({ keywords: keywords(limits.keywords.intent), language_code: place.language_code }),
  volume: z.object({
    keywords: keywords(limits.keywords.volume),
    location_code: place.location_code.optional(),
    language_code: place.language_code.optional(),
  }),
  organic: z.object(serp),
  /** Regular results have no other elements in which a target could be looked for. */
  regular: z.object({
    ...serp,
    find_targets_in: z.array(z.enum(["organic", "paid", "featured_snippet"])).default([]),
  }),
};
