import { z } from "zod";
import { type LossCode, lossTexts, mediaKinds } from "../content/index.ts";
import type { Compiled } from "./contract.ts";
import { platformNames } from "./registry.ts";

/** What a text is left out for where it would stand in a delivery a second time: `rendered_text` says it. */
const asRendered = null;

const storedShape = z.object({
  platform: z.enum(platformNames),
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

/** A compiled post as its delivery keeps it, beside `rendered_text`. Every row is written anew at each step, so it is short. */
export type StoredPost = Readonly<z.infer<typeof storedShape>>;

export function storedForm({ platform, requests, plainText, losses }: Compiled): StoredPost {
  const unlessRendered = (text: unknown) => (text === plainText ? asRendered : text);
  return {
    platform,
    requests: requests.map(({ text, body, media, ...request }) => ({
      ...request,
      body: "text" in body ? { ...body, text: unlessRendered(body.text) } : body,
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
      body: request.body.text === asRendered ? { ...request.body, text: renderedText } : request.body,
      text: request.text ?? renderedText,
      media: request.media ?? [],
    })),
    plainText: renderedText,
    losses,
  };
}

/** A post as it comes back from storage, or nothing when it is not one. */
export function readCompiled(stored: unknown, renderedText: string): Compiled | undefined {
  const post = storedShape.safeParse(stored).data;
  return post && restored(post, renderedText);
}
