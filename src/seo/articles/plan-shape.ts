import { z } from "zod";
import { clusterSchema } from "../categories/clusters.ts";
import { saidSchema, warningSchema } from "./shape.ts";

/** A plan of an article: what its owner sees before anything is paid. */

export const planOrder = z.object({
  project_id: z.int(),
  category_id: z.int(),
  connection_id: z.int().nullable(),
  cluster: clusterSchema,
});
export type PlanOrder = z.infer<typeof planOrder>;

export const readerSchema = z.object({ reader: z.string(), questions: z.array(z.string()) });

export const planResult = z.object({
  category_id: z.int(),
  phrase: z.string(),
  angle: z.string(),
  titles: z.array(z.string()),
  readers: z.array(readerSchema).describe("What five different readers want to know"),
  gaps: z.array(z.string()).describe("What the pages that rank leave out"),
  source_needs: z.array(z.string()),
  sources: z.array(z.object({ id: z.string(), url: z.string(), title: z.string() })),
  own_facts: z.array(z.string()).describe("What only this business can say"),
  common_facts: z.array(z.string()).describe("What any competitor could say as well"),
  question: saidSchema.nullable().describe("Asked when the business has fewer than three facts of its own"),
  answers: z.int().describe("Answers of the owner that the article will use"),
  serving: z.object({ title: z.string(), url: z.string().nullable() }).nullable(),
  tokens: z.object({ from: z.number(), to: z.number(), about: z.int() }),
  warnings: z.array(warningSchema),
});
export type Plan = z.infer<typeof planResult>;
