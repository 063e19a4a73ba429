/** A preview whose day is over: its flow ends on the screen that says so, and the article can be ordered again. */
import type { Reaction } from "../../../dialogs/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { readPreview } from "../../previews/previews.ts";
import { readProject } from "../../projects/projects.ts";
import { previewExpired } from "../runs/tell-of-expiry.ts";
import { action, type BotServices, inStep, whoseOf } from "../services.ts";
import { ifFound } from "../told.ts";
import type { ArticleData } from "./article-data.ts";

/** Its person stands in its flow: the preview looks again where its article is. */
export const expiry = {
  [previewExpired]: { to: "@stay", take: () => ({}) },
} satisfies Readonly<Record<string, Reaction<ArticleData, never, BotServices>>>;

/** The same place and theme once more. What is kept of the article itself has no preview to go on with. */
export const beginAgain = action("article:{id}:again", {
  to: ["flow:ArticlePipeline"],
  act: ({ id }, visit) =>
    ifFound(async () => {
      const { sql } = inStep(visit);
      const whose = whoseOf(visit);
      const { status, run, category_id, connection_id } = await readPreview(sql, whose, id);
      if (status !== "expired") return undefined;
      const category = await readCategory(sql, whose, category_id);
      const { id: projectId, name: place } = await readProject(sql, whose, category.project_id);
      const kept = await visit.kept("ArticlePipeline");
      return {
        state: "confirm_cost",
        data: { projectId, place, categoryId: category.id, connectionId: connection_id },
        forgets: kept !== undefined && kept.data.runId === run,
      };
    }),
});
