import { z } from "zod";
import { seoTasks } from "../answers/index.ts";
import { askModel } from "../models/ask-model.ts";
import { imagePresets, nicheNames } from "../niches/index.ts";
import { drawPictures } from "../pictures/draw-pictures.ts";
import { type PlannedPicture, planPictures, type Section } from "../pictures/plan-pictures.ts";
import { styleOfMedia } from "../pictures/style-of-media.ts";
import type { RunScope } from "../runs/run-kind.ts";
import { type ArticleDeps, imageOperation } from "./article-deps.ts";
import { type ArticleOrder, type Brief, pictureSchema, type StoredPicture, type Written } from "./shape.ts";
import { sectionsOf } from "./text-parts.ts";

const scenesSchema = z.array(z.object({ number: z.int(), prompt: z.string(), negative_prompt: z.string() }));

/** The pictures of an article that came out, by number. */
export async function drawArticle(
  deps: ArticleDeps,
  run: RunScope,
  order: ArticleOrder,
  { brief, written, markdown }: { brief: Brief; written: Written; markdown: string },
): Promise<StoredPicture[]> {
  const { image, brand, company, cluster } = brief;
  if (image.count === 0) return [];
  const sections = sectionsOf(markdown);
  // One form for all pictures is nobody's wish: then their places decide.
  const planned = planPictures(sections, image.count, {
    ...image,
    formats: image.formats.length > 1 ? image.formats : [],
  });
  const niche = nicheNames.find((name) => name === brief.niche);
  const style = (niche && imagePresets[niche]) ?? "";
  const media = await styleOfMedia(deps, run, order.category_id);
  const scenes = await direct(deps, run, {
    brief,
    written,
    markdown,
    sections,
    planned,
    style,
    media: media.words,
  });
  const drawn = await run.step("pictures", { result: z.array(pictureSchema) }, async (step) => [
    ...(await drawPictures(
      deps,
      { run, step, operation: imageOperation },
      {
        planned,
        scenes: new Map(scenes.map(({ number, ...scene }) => [number, scene])),
        quality: image.quality,
        references: media.references,
        place: { ...run, projectId: order.project_id },
        data: {
          ...{ keyword: cluster.main_phrase, content_type: "article" },
          ...{ company_name: company.name, specialization: company.specialization, niche_style: style },
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

const wordsOfSection = 300;
const wordsOfBeginning = 500;

/** What to show on each picture. Without the director the plan alone says it (E54). */
function direct(
  deps: ArticleDeps,
  run: RunScope,
  {
    brief,
    written,
    markdown,
    sections,
    planned,
    style,
    media,
  }: {
    brief: Brief;
    written: Written;
    markdown: string;
    sections: readonly Section[];
    planned: readonly PlannedPicture[];
    style: string;
    /** How the business's own photos look. */
    media: string;
  },
): Promise<z.infer<typeof scenesSchema>> {
  return run.step("director", { result: scenesSchema }, async (step) => {
    const asked = await askModel(deps, { run, step, operation: imageOperation }, seoTasks.director, {
      title: written.title,
      keyword: brief.cluster.main_phrase,
      images_count: planned.length,
      sections: sections.map(({ heading, text }, index) => ({
        ...{ index, heading, text: firstWords(text, wordsOfSection) },
      })),
      text_excerpt: firstWords(markdown, wordsOfBeginning),
      niche_style: style,
      media_style: media,
      colors: [brief.brand.primary, brief.brand.accent].filter(Boolean).join(", "),
      formats: planned.map(({ aspectRatio }) => aspectRatio).join(", "),
    });
    if (!asked.ok) {
      step.note("image_director_skipped");
      return [];
    }
    const { images } = asked.answer;
    const spare = [...images];
    return planned.flatMap(({ number, section }) => {
      const at = spare.findIndex(({ section_index }) => section_index === section);
      const [scene] = spare.splice(Math.max(at, 0), 1);
      return scene ? [{ number, prompt: scene.prompt, negative_prompt: scene.negative_prompt }] : [];
    });
  });
}

const firstWords = (text: string, count: number) =>
  text.split(/\s+/).filter(Boolean).slice(0, count).join(" ");
