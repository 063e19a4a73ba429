import { z } from "zod";
import { type LossCode, lossTexts, mediaKinds } from "../content/index.ts";
import type { Compiled } from "./contract.ts";
import { platformNames } from "./registry.ts";

const compiledShape = z.object({
  platform: z.enum(platformNames),
  requests: z
    .array(
      z.object({
        method: z.string(),
        query: z.record(z.string(), z.string()).exactOptional(),
        body: z.record(z.string(), z.unknown()),
        text: z.string(),
        media: z.array(
          z.object({
            kind: z.enum(mediaKinds),
            url: z.string().exactOptional(),
            blobRef: z.string().exactOptional(),
            fileId: z.string().exactOptional(),
          }),
        ),
      }),
    )
    .min(1),
  plainText: z.string(),
  losses: z.array(
    z.object({
      code: z.custom<LossCode>((code) => typeof code === "string" && Object.hasOwn(lossTexts, code)),
      message: z.string(),
    }),
  ),
});

/** A compiled post as it comes back from storage, or nothing when it is not one. */
export function readCompiled(stored: unknown): Compiled | undefined {
  return compiledShape.safeParse(stored).data;
}
