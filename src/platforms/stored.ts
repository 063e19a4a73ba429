import { z } from "zod";
import { type LossCode, lossTexts, mediaKinds } from "../content/index.ts";
import type { Compiled } from "./contract.ts";

/** Replaces a text that the delivery stores already in `rendered_text`. */
const asRendered = null;

const storedShape = z.object({
  platform: z.string(),
  requests: z
    .array(
      z.object({
        method: z.string(),
        query: z.record(z.string(), z.string()).exactOptional(),
        body: z.record(z.string(), z.unknown()),
        text: z.string().nullable(),
        media: z
          .array(
            z.object({
              kind: z.enum(mediaKinds),
              url: z.string().exactOptional(),
              blobRef: z.string().exactOptional(),
              fileId: z.string().exactOptional(),
            }),
          )
          .exactOptional(),
      }),
    )
    .min(1),
  losses: z
    .array(
      z.object({
        code: z.custom<LossCode>((code) => typeof code === "string" && Object.hasOwn(lossTexts, code)),
        message: z.string(),
      }),
    )
    .exactOptional(),
});

/** Fields of a request that may contain the text. */
const textFields = ["text", "message"] as const;

/**
 * A compiled post as its delivery stores it, beside `rendered_text`. The row is rewritten at each step, so it is kept
 * short.
 */
export type StoredPost = Readonly<z.infer<typeof storedShape>>;

export function storedForm({ platform, requests, plainText, losses }: Compiled): StoredPost {
  const unlessRendered = (body: Readonly<Record<string, unknown>>) =>
    withTexts(body, (text) => (text === plainText ? asRendered : text));
  return {
    platform,
    requests: requests.map(({ text, body, media, ...request }) => ({
      ...request,
      body: unlessRendered(body),
      text: text === plainText ? asRendered : text,
      ...(media.length > 0 && { media: [...media] }),
    })),
    ...(losses.length > 0 && { losses: [...losses] }),
  };
}

export function restored({ platform, requests, losses = [] }: StoredPost, renderedText: string): Compiled {
  return {
    platform,
    requests: requests.map((request) => ({
      ...request,
      body: withTexts(request.body, (text) => (text === asRendered ? renderedText : text)),
      text: request.text ?? renderedText,
      media: request.media ?? [],
    })),
    plainText: renderedText,
    losses,
  };
}

function withTexts(
  body: Readonly<Record<string, unknown>>,
  change: (text: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const changed = textFields.flatMap((field) => (field in body ? [[field, change(body[field])]] : []));
  return { ...body, ...Object.fromEntries(changed) };
}

/** Parses a stored post; undefined if it is not one. */
export function readCompiled(stored: unknown, renderedText: string): Compiled | undefined {
  const post = storedShape.safeParse(stored).data;
  return post && restored(post, renderedText);
}
