import { z } from "zod";
import { verdicts } from "./judge-page.ts";
import { engines } from "./rules.ts";
import { shareSchema } from "./share.ts";

export const archiveSchema = z
  .object({
    engine: z.enum(engines),
    site: z.string(),
    is_shared: z.boolean().describe("Whether our account may read the site there"),
    from: z.string().nullable().describe("The first day of what is archived without gaps"),
    to: z.string().nullable(),
    read_at: z.date(),
    problem: z.string().nullable().describe("Why the last reading gave nothing"),
    share: shareSchema
      .nullable()
      .describe(
        "What the site's owner does so that it can be read, while the engine refuses it to our account",
      ),
  })
  .meta({ id: "SeoSearchArchive" });

export const pageFiguresSchema = z
  .object({
    id: z.int(),
    url: z.string(),
    verdict: z
      .enum(verdicts)
      .describe(
        "falling: a fifth of its clicks is lost; season: as in the same weeks a year ago; too_little: too few to judge",
      ),
    clicks: z.int().describe("Of the last 28 archived days"),
    clicks_before: z.int().describe("Of the 28 days before"),
    position: z.number().nullable().describe("The mean place in these days"),
    position_before: z.number().nullable(),
    is_ours: z.boolean().describe("SEO Master wrote it, so an update takes its place"),
    phrase: z.string().nullable(),
    category_id: z.int().nullable(),
    connection_id: z.int().nullable(),
  })
  .meta({ id: "SeoPageFigures" });
export type PageFigures = z.infer<typeof pageFiguresSchema>;

export const refreshSchema = z
  .object({
    archives: z.array(archiveSchema),
    is_enough: z
      .boolean()
      .describe("Twice 28 days are archived of some engine: otherwise nothing can be judged"),
    items: z.array(pageFiguresSchema),
  })
  .meta({ id: "SeoRefresh" });
export type Refresh = z.infer<typeof refreshSchema>;
