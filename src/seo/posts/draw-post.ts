import { z } from "zod";
import { imageOperation } from "../articles/article-deps.ts";
import { pictureSchema, type StoredPicture } from "../articles/shape.ts";
import { imagePresets, nicheNames } from "../niches/index.ts";
import { drawPictures } from "../pictures/draw-pictures.ts";
import { planPictures } from "../pictures/plan-pictures.ts";
import { styleOfMedia } from "../pictures/style-of-media.ts";
import type { RunScope } from "../runs/run-kind.ts";
import { asText } from "./markup.ts";
import type { PostBrief, PostOrder, PostText } from "./shape.ts";
import type { PostDeps } from "./write-post.ts";

/** The pictures of a post that came out, by number. */
export async function drawPost(
  deps: PostDeps,
  run: RunScope,
  order: PostOrder,
  { image, brand, company, niche, phrase }: PostBrief,
  { text }: PostText,
): Promise<StoredPicture[]> {
  if (image.count === 0) return [];
  // All pictures of a post are about the same text.
  const section = { heading: phrase, text: asText(text) };
  const planned = planPictures(
    Array.from({ length: image.count }, () => section),
    image.count,
    image,
  );
  const media = await styleOfMedia(deps, run, order.category_id);
  const known = nicheNames.find((name) => name === niche);
  const drawn = await run.step("pictures", { result: z.array(pictureSchema) }, async (step) => [
    ...(await drawPictures(
      deps,
      { run, step, operation: imageOperation },
      {
        ...{ planned, scenes: new Map(), quality: image.quality, references: media.references },
        place: { ...run, projectId: order.project_id },
        data: {
          ...{ keyword: phrase, content_type: "social_post" },
          ...{ company_name: company.name, specialization: company.specialization },
          niche_style: (known && imagePresets[known]) ?? "",
          media_style: media.words,
          ...(brand.primary && {
            ...{ primary_color: brand.primary, accent_color: brand.accent ?? brand.primary },
            background_color: brand.background ?? "#ffffff",
          }),
        },
      },
    )),
  ]);
  return drawn.toSorted((one, other) => one.number - other.number);
}
