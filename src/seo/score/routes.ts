import { z } from "zod";
import { longestSource } from "../../content/index.ts";
import type { App } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { workspaceRoutes } from "../../workspaces/index.ts";
import { type Language, loadLanguage } from "../language/index.ts";
import { gates, points } from "./points.ts";
import { scoreArticle } from "./score.ts";

export interface ScoreRouteDeps {
  readonly sql: Sql;
  /** Replaced in tests. */
  readonly language?: () => Promise<Language>;
}

const phrase = z.string().trim().min(1).max(200);

const body = z.strictObject({
  title: z.string().max(300).optional().describe("The H1; the body begins with H2"),
  meta_description: z.string().max(1000).optional(),
  body: z.string().min(1).max(longestSource),
  format: z.enum(["markdown", "html"]).default("markdown"),
  phrase,
  secondary: z.array(phrase).max(50).optional(),
  target_words: z
    .strictObject({ min: z.int().min(1).max(20_000), max: z.int().min(1).max(20_000) })
    .refine(({ min, max }) => min <= max, "min is above max")
    .optional(),
  faq: z
    .array(z.strictObject({ question: z.string().max(1000), answer: z.string().max(10_000) }))
    .max(50)
    .optional(),
  images: z
    .array(z.strictObject({ alt: z.string().max(1000).optional() }))
    .max(50)
    .optional()
    .describe("Pictures kept apart from the body"),
  links: z
    .array(z.string().max(2048))
    .max(200)
    .optional()
    .describe("Internal links kept apart from the body"),
  site: z.string().max(2048).optional().describe("The address of the site: links there are internal"),
  adds: z
    .strictObject({ contents: z.boolean().optional(), schema: z.boolean().optional() })
    .optional()
    .describe("What publishing will add, so that it counts as present"),
});

const both = z.object({ ru: z.string(), en: z.string() });
const dimension = z.enum(["seo", "readability", "structure", "naturalness", "depth"]);
const check = z.object({
  id: z.enum(Object.keys(points) as [keyof typeof points, ...(keyof typeof points)[]]),
  dimension,
  points: z.number(),
  max: z.number(),
  label: both,
  found: both,
  wanted: both,
  change: both,
});

const answer = z.object({
  total: z.int().min(0).max(100),
  breakdown: z.record(dimension, z.number()),
  issues: z.array(check).describe("Checks that lost points, most valuable first"),
  checks: z.array(check),
  passed: z.boolean(),
  gate: z.enum(gates.map(({ gate }) => gate)),
  words: z.int(),
  warnings: z.array(z.object({ code: z.string(), detail: z.string() })),
});

/** POST /api/v1/seo/score: the score of a text that is not stored. */
export function scoreRoutes(app: App, { sql, language = loadLanguage }: ScoreRouteDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/seo/score", tag: "seo" });
  routes.post(
    "",
    {
      scope: "read",
      summary: "Score an article without a model, 0 to 100, every point explained; nothing is stored",
      body,
      answer,
    },
    async ({ body: given }) => {
      const { meta_description, target_words, ...rest } = given;
      const { issues, checks, warnings, ...score } = scoreArticle(
        { ...rest, metaDescription: meta_description, targetWords: target_words },
        await language(),
      );
      return { ...score, issues: [...issues], checks: [...checks], warnings: [...warnings] };
    },
  );
}
