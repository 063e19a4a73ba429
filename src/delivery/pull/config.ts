import { z } from "zod";
import { inOurWords } from "../../http/index.ts";
import { parsedUrl } from "../../kernel/url/index.ts";
import { errorInExpression } from "./mapped/expression.ts";
import { parametersOf } from "./mapped/query.ts";
import type { SourceKind } from "./source.ts";

/** What `pull_sources.config_json` holds, by kind. Unknown names are refused, because a typo would silently have no effect. */

const webAddress = z
  .string()
  .max(2048)
  .refine((text) => /^https?:$/.test(parsedUrl(text)?.protocol ?? ""), {
    error: "an http or https address is needed",
  })
  .refine((text) => !parsedUrl(text)?.username && !parsedUrl(text)?.password, {
    error: "a name or password does not belong into the address; give it as the source's secret",
  });

const header = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, "not a header's name")
  .refine((name) => !/^(authorization|cookie|proxy-authorization|host|content-length)$/i.test(name), {
    error: "this header is not taken from the configuration; give credentials as the source's secret",
  });
const headers = z.record(header, z.string().regex(/^[\t\x20-\x7e]{0,1024}$/, "not a header's value"));

const ofEverySource = {
  /** Tags of every post of this source, for routing. */
  tags: z.array(z.string().min(1).max(64)).max(20).default([]),
  /** How many of the newest items are posted when the source is new; the rest counts as seen. */
  max_items_first_run: z.int().min(0).max(100).default(3),
  /** Items older than this are not posted, for example after a long pause of the source. */
  skip_older_than_hours: z.int().min(1).max(87_600).optional(),
  link: z.enum(["append", "button", "none"]),
  link_text: z.string().min(1).max(64).default("Читать далее"),
};

const ofWebSource = { url: webAddress, headers: headers.default({}) };

export const feedConfig = z.strictObject({
  ...ofWebSource,
  ...ofEverySource,
  link: ofEverySource.link.default("append"),
  fields: z
    .array(z.enum(["title", "summary", "content"]))
    .min(1)
    .default(["title", "summary"]),
  /** Visible characters of the text; 900 leaves room for a link in a photo's caption. */
  max_text: z.int().min(50).max(50_000).default(900),
  max_media: z.int().min(0).max(10).default(1),
  media_types: z.array(z.enum(["photo", "animation", "video", "audio"])).default(["photo", "animation"]),
  category_tags: z.boolean().default(true),
});
export type FeedConfig = z.infer<typeof feedConfig>;

const expression = z
  .string()
  .min(1)
  .max(10_000)
  .superRefine((text, context) => {
    const error = errorInExpression(text);
    if (error) context.addIssue({ code: "custom", message: error });
  });

const mapping = {
  ...ofEverySource,
  link: ofEverySource.link.default("none"),
  parse_mode: z.enum(["HTML", "Markdown", "None"]).default("None"),
  media_type: z.enum(["photo", "animation", "video", "audio", "document"]).default("photo"),
  /** Fields of the post by JSON pointer or template; other names go into the payload for channels' templates. */
  fields: z
    .object({
      id: expression,
      text: expression.optional(),
      media: expression.optional(),
      tags: expression.optional(),
      link: expression.optional(),
      published_at: expression.optional(),
      cursor: expression.optional(),
    })
    .catchall(expression)
    .refine(({ text, media }) => text !== undefined || media !== undefined, {
      error: "one of text and media is needed, or there is nothing to post",
    }),
};

const pageNumber = z.int().min(0).max(1_000_000);
const mostPages = z.int().min(1).max(50).default(5);
const parameter = z.string().regex(/^[\w.[\]-]{1,64}$/, "not a parameter's name");
const pointer = z.string().regex(/^(\/.*)?$/, "a JSON pointer is needed: empty, or beginning with a slash");

export const apiConfig = z.strictObject({
  ...ofWebSource,
  ...mapping,
  items_path: pointer.default(""),
  order: z.enum(["newest_first", "oldest_first"]).default("newest_first"),
  /** The query parameter in which the stored cursor is sent. */
  cursor_param: parameter.optional(),
  paging: z
    .discriminatedUnion("by", [
      z.strictObject({
        by: z.literal("page"),
        param: parameter,
        first: pageNumber.default(1),
        max_pages: mostPages,
      }),
      z.strictObject({ by: z.literal("cursor"), param: parameter, next: pointer, max_pages: mostPages }),
    ])
    .optional(),
});
export type ApiConfig = z.infer<typeof apiConfig>;

const column = z.string().regex(/^[A-Za-z_][\w$]{0,62}$/, "a column's name is needed");

export const dbConfig = z.strictObject({
  ...mapping,
  query: z
    .string()
    .min(1)
    .max(20_000)
    .superRefine((text, context) => {
      const unknown = parametersOf(text).find((place) => place > 2);
      if (unknown)
        context.addIssue({
          code: "custom",
          message: `$${unknown} is unknown: $1 is the last row's time, $2 its id`,
        });
    }),
  /** The columns that order the rows: $1 and $2 are their values in the last row taken. */
  time_column: column,
  id_column: column,
  rows: z.int().min(1).max(1000).default(200),
  /** How far back late commits are looked for. */
  overlap_seconds: z.int().min(0).max(86_400).default(60),
});
export type DbConfig = z.infer<typeof dbConfig>;

export type SourceConfig =
  | ({ readonly kind: "rss" } & FeedConfig)
  | ({ readonly kind: "api" } & ApiConfig)
  | ({ readonly kind: "db" } & DbConfig);

export interface ConfigError {
  /** A JSON pointer into the configuration. */
  readonly pointer: string;
  readonly detail: string;
}

export type ReadConfig =
  | { readonly ok: true; readonly config: SourceConfig }
  | { readonly ok: false; readonly errors: readonly ConfigError[] };

export function readSourceConfig(kind: SourceKind, config: unknown): ReadConfig {
  if (kind === "rss") return read(feedConfig.safeParse(config, inOurWords), (data) => ({ kind, ...data }));
  if (kind === "api") return read(apiConfig.safeParse(config, inOurWords), (data) => ({ kind, ...data }));
  return read(dbConfig.safeParse(config, inOurWords), (data) => ({ kind, ...data }));
}

export function inOneLine(errors: readonly ConfigError[]): string {
  return errors.map(({ pointer, detail }) => `${pointer || "the configuration"}: ${detail}`).join("; ");
}

function read<Data>(result: z.ZodSafeParseResult<Data>, named: (data: Data) => SourceConfig): ReadConfig {
  if (result.success) return { ok: true, config: named(result.data) };
  return {
    ok: false,
    errors: result.error.issues.map((issue) => ({
      pointer: issue.path.map((step) => `/${String(step)}`).join(""),
      // An error in a name is one level deeper.
      detail: (issue.code === "invalid_key" && issue.issues[0]?.message) || issue.message,
    })),
  };
}
