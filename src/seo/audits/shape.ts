import { z } from "zod";

const score = z.int().min(0).max(100).nullable();
const ms = z.int().min(0).nullable();

export const auditSchema = z
  .object({
    url: z.string().max(500),
    performance: score,
    accessibility: score,
    best_practices: score,
    seo_score: score,
    lcp_ms: ms,
    inp_ms: ms,
    cls: z.number().min(0).max(99).nullable(),
    ttfb_ms: ms,
    recommendations: z.array(z.object({ title: z.string(), description: z.string(), priority: z.string() })),
    audited_at: z.date(),
  })
  .meta({ id: "SeoAudit" });
export type Audit = z.infer<typeof auditSchema>;

const colour = z.string().max(50).nullish();
export const brandingSchema = z
  .object({
    url: z.string().max(500),
    colors: z.object({
      background: colour,
      text: colour,
      accent: colour,
      primary: colour,
      secondary: colour,
    }),
    fonts: z.object({ heading: z.string().max(200).nullish(), body: z.string().max(200).nullish() }),
    logo_url: z.string().max(2_000).nullable(),
    extracted_at: z.date(),
  })
  .meta({ id: "SeoBranding" });
export type Branding = z.infer<typeof brandingSchema>;
