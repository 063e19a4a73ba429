import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import { Problem } from "../../http/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import { imageOperation } from "../articles/article-deps.ts";
import { pictureSchema } from "../articles/shape.ts";
import { fewerPictures } from "../articles/warnings.ts";
import { readBranding } from "../audits/audits.ts";
import { readCategory } from "../categories/categories.ts";
import { readClusters } from "../categories/keywords.ts";
import { detectNiche, imagePresets, nicheNames } from "../niches/index.ts";
import { lowerIfHeld } from "../orders/held-step.ts";
import { readProject } from "../projects/projects.ts";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun, type RunScope } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import { imagesAtMost } from "../settings/options.ts";
import { readSettings } from "../settings/settings.ts";
import { imageSettingsSchema } from "../settings/shape.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { drawPictures } from "./draw-pictures.ts";
import { planPictures } from "./plan-pictures.ts";
import { styleOfMedia } from "./style-of-media.ts";

export interface ImagesDeps extends WorkshopDeps {
  readonly storage: ObjectStorage;
}

export const imagesOrder = z.object({
  ...{ project_id: z.int(), category_id: z.int(), count: z.int().min(1).max(imagesAtMost) },
});
export type ImagesOrder = z.infer<typeof imagesOrder>;

export const imagesResult = z.object({
  pictures: z.array(pictureSchema),
  wanted: z.int(),
  warning: z.object({ ru: z.string(), en: z.string() }).nullable(),
});
export type ImagesResult = z.infer<typeof imagesResult>;

/** The step of billing that holds the tokens. */
export const imagesCharge = "images";

const noPictures: Said = {
  ru: "Изображения не удалось нарисовать. Токены возвращены. Попробуйте позже.",
  en: "No picture could be drawn. The tokens were returned. Try again later.",
};
const deleted: Said = {
  ru: "Категория удалена, пока рисовались изображения. Токены возвращены.",
  en: "The category was deleted while its pictures were drawn. The tokens were returned.",
};

const groundSchema = z.object({
  company: z.string(),
  specialization: z.string(),
  subjects: z.array(z.object({ heading: z.string(), text: z.string() })),
  settings: imageSettingsSchema,
  colors: z.record(z.string(), z.string().nullish()),
});

/** Draws pictures of a category by its settings: each about another of its themes. They can be opened for a week. */
export function imagesRun(deps: ImagesDeps) {
  return defineRun<ImagesOrder, ImagesResult>({
    kind: "images",
    title: { ru: "изображения", en: "pictures" },
    input: imagesOrder,
    async work(run, order) {
      const ground = await run.step("ground", { result: groundSchema }, () => groundOf(deps, run, order));
      const { settings, colors } = ground;
      const niche = nicheNames.find((name) => name === detectNiche(ground.specialization));
      const pictures = await run.step(
        "pictures",
        { result: z.array(pictureSchema), stage: "drawing" },
        async (step) => {
          const { words, references } = await styleOfMedia(deps, run, order.category_id);
          const drawn = await drawPictures(
            deps,
            { run, step, operation: imageOperation },
            {
              // One form for all is the usual setting; then places decide.
              planned: planPictures(ground.subjects, order.count, {
                ...settings,
                formats: settings.formats.length > 1 ? settings.formats : [],
              }),
              ...{ scenes: new Map(), quality: settings.quality, references },
              place: { ...run, projectId: order.project_id },
              data: {
                ...{ keyword: ground.subjects[0]?.heading ?? ground.specialization, content_type: "picture" },
                ...{
                  company_name: ground.company,
                  specialization: ground.specialization,
                  media_style: words,
                },
                niche_style: (niche && imagePresets[niche]) ?? "",
                ...(colors.primary && {
                  ...{ primary_color: colors.primary, accent_color: colors.accent ?? colors.primary },
                  background_color: colors.background ?? "#ffffff",
                }),
              },
            },
          );
          return drawn.toSorted((one, other) => one.number - other.number);
        },
      );
      if (pictures.length === 0) throw new RunFailure("no_pictures", noPictures);
      await settlePrice(deps, run, pictures.length);
      const warning =
        pictures.length < order.count ? fewerPictures(pictures.length, order.count).message : null;
      return { status: "done", result: { pictures, wanted: order.count, warning } };
    },
  });
}

async function groundOf(
  { sql }: ImagesDeps,
  run: RunScope,
  { project_id, category_id }: ImagesOrder,
): Promise<z.infer<typeof groundSchema>> {
  try {
    const [project, category, clusters, { image }, branding] = await Promise.all([
      readProject(sql, run, project_id),
      readCategory(sql, run, category_id),
      readClusters(sql, run, category_id),
      readSettings(sql, run, category_id),
      readBranding(sql, run, project_id),
    ]);
    const about = category.description ?? "";
    const themes = clusters.slice(0, imagesAtMost).map(({ main_phrase, phrases }) => ({
      heading: main_phrase,
      text: [...phrases.slice(0, 10).map(({ phrase }) => phrase), about].filter(Boolean).join(". "),
    }));
    return {
      ...{ company: project.company_name, specialization: project.specialization, settings: image },
      subjects: themes.length > 0 ? themes : [{ heading: category.name, text: about }],
      colors: branding?.colors ?? {},
    };
  } catch (error) {
    if (!(error instanceof Problem && error.code === "not_found")) throw error;
    throw new RunFailure("deleted", deleted);
  }
}

/** Pictures that did not come out are not paid for. */
async function settlePrice(deps: ImagesDeps, run: RunScope, drawn: number): Promise<void> {
  await run.step("price", { result: z.null() }, async () => {
    const tokens = tokensFor(await listPrices(deps.sql, run.workspaceId), imageOperation, drawn);
    await lowerIfHeld(deps, { workspaceId: run.workspaceId, run: run.runId, step: imagesCharge }, tokens);
    return null;
  });
}
