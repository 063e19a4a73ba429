import { z } from "zod";
import { articleShape, linkPreviewShape, markdownDialects, parseModes } from "../../content/index.ts";
import { errorsFromIssues, inOurWords, type ProblemError, textFaults } from "../../http/index.ts";
import { momentText } from "../deliveries/request.ts";

/** A name or reference given by the sender: short enough for an index. */
const reference = z.string().max(512).nullish();

export const media = z.looseObject({
  type: z.enum(["photo", "image", "video", "animation", "gif", "audio", "document", "file"]),
  url: z.string().max(4096).nullish(),
  origin_url: z.string().max(4096).nullish(),
  blob_ref: z.string().max(512).nullish(),
  file_id: z.string().max(512).nullish(),
  caption: z.string().nullish(),
  alt: z.string().nullish(),
});

/** `MarkdownV2` is Telegram's name for its own dialect of Markdown. */
const parseMode = z.enum([...parseModes, "MarkdownV2"]).nullish();

/** A post as its sender gives it. */
export const payload = z.looseObject({
  text: z.string().nullish(),
  parse_mode: parseMode,
  dialect: z
    .enum(markdownDialects)
    .nullish()
    .describe("Which Markdown the text is written in; `commonmark` unless given"),
  media: z.array(media).max(100).nullish(),
  buttons: z.array(z.array(z.object({ text: z.string(), url: z.string() }))).nullish(),
  disable_preview: z.boolean().nullish(),
  link_preview: linkPreviewShape
    .nullish()
    .describe("Which link is previewed, how large, and where (Telegram)"),
  silent: z.boolean().nullish(),
  protect: z.boolean().nullish(),
  tags: z.array(z.string()).nullish(),
  article: articleShape
    .nullish()
    .describe("Title, address, description, labels and cover, for platforms that publish pages"),
});

/** The body of `POST /api/v1/ingest`. Unknown fields are kept for templates; known ones have one type. */
export const pushBody = z.looseObject({
  payload,
  source_ref: reference.describe("The sender's own id of the post: a repeat with the same one is dropped"),
  tags: z.array(z.string()).nullish().describe("Routing tags, besides the hashtags of the text"),
  tagged_only: z
    .boolean()
    .nullish()
    .describe("Only to channels that ask for one of its tags, not to those that take every post"),
  channel_ids: z
    .array(z.uuid())
    .min(1)
    .max(100)
    .nullish()
    .describe(
      "To these channels of the workspace and no others, whatever their filters; all of them or none",
    ),
  scheduled_for: momentText
    .nullish()
    .describe("Send at exactly this time, also outside the channels' windows"),
  trace_id: reference,
  ingest_run_id: reference.describe(
    "The sender's own run, of which this post is one; its counts are added up",
  ),
  hash_version: z.int().min(1).max(1_000_000).nullish(),
  content_hash: z.string().max(512).nullish().describe("Kept with the source, never used for dedup"),
  rendered_text: z.string().nullish(),
  render_meta: z.looseObject({ parse_mode: parseMode }).nullish(),
  source: z.looseObject({}).nullish(),
});

export type PushBody = z.infer<typeof pushBody>;

/** Reads the post from a body that may be anything; otherwise returns every error in it. */
export function readPost(given: unknown): { post: PushBody } | { faults: ProblemError[] } {
  const read = pushBody.safeParse(given, inOurWords);
  if (!read.success) return { faults: errorsFromIssues(read.error.issues) };
  const errors = contentErrors(read.data);
  return errors.length > 0 ? { faults: errors } : { post: read.data };
}

/** Checks what types cannot express: there is something to post, its text can be stored and sent, its tags can be searched. */
export function contentErrors(body: PushBody): ProblemError[] {
  const errors = [...textFaults(body)];
  const tags = differentTags(body);
  if (tags > mostTags)
    errors.push({
      pointer: "/tags",
      detail: `A post has at most ${mostTags} different tags, hashtags of its text included; this one has ${tags}`,
    });
  if (!body.payload.text?.trim() && !body.payload.media?.length)
    errors.push({ pointer: "/payload", detail: "A post needs text or media; this one has neither" });
  return errors;
}

/** Far more than any post has. Finding the channels of tags takes time quadratic in their number. */
const mostTags = 1000;

function differentTags({ tags, payload }: PushBody): number {
  const hashtags = payload.text?.match(/#[\p{L}\p{N}_]+/gu) ?? [];
  return new Set([...(tags ?? []), ...(payload.tags ?? []), ...hashtags]).size;
}
