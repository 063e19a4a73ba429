/** How an article is begun: from the menu, from a category, from the menu of a site. */
import { readCategory } from "../../categories/categories.ts";
import { readConnection } from "../../connections/connections.ts";
import { readProject } from "../../projects/projects.ts";
import { action, inStep, whoseOf } from "../services.ts";
import { ifFound } from "../told.ts";

/** Only a category and a site of one project of the person's own. */
export const beginPublishing = action("category:{id}:connection:{connection}:article", {
  to: ["flow:ArticlePublish"],
  async act({ id, connection: connectionId }, visit) {
    const { sql } = inStep(visit);
    const category = await ifFound(() => readCategory(sql, whoseOf(visit), id));
    const connection = await ifFound(() => readConnection(sql, whoseOf(visit), connectionId));
    if (!category || !connection) return undefined;
    if (connection.project_id !== category.project_id || connection.platform_type !== "wordpress")
      return undefined;
    return { data: { projectId: category.project_id, categoryId: id, connectionId } };
  },
});

export const beginPipeline = action("pipeline:article:start", {
  to: ["flow:ArticlePipeline"],
  act: () => ({}),
});

/** The pipeline with its project and its theme chosen. */
export const beginWithCategory = action("pipeline:article:category:{id}", {
  to: ["flow:ArticlePipeline"],
  async act({ id }, visit) {
    const { sql } = inStep(visit);
    const category = await ifFound(() => readCategory(sql, whoseOf(visit), id));
    if (!category) return undefined;
    const project = await readProject(sql, whoseOf(visit), category.project_id);
    return { state: "select_wp", data: { projectId: project.id, place: project.name, categoryId: id } };
  },
});

/** Another article for the same site: the theme is chosen anew. */
export const beginAnother = action("category:{id}:connection:{connection}:more", {
  to: ["flow:ArticlePipeline"],
  async act({ id, connection: connectionId }, visit) {
    const { sql } = inStep(visit);
    const category = await ifFound(() => readCategory(sql, whoseOf(visit), id));
    const connection = await ifFound(() => readConnection(sql, whoseOf(visit), connectionId));
    if (!category || connection?.project_id !== category.project_id) return undefined;
    const project = await readProject(sql, whoseOf(visit), category.project_id);
    const place = { projectId: project.id, place: project.name, connectionId };
    return { state: "select_category", data: { ...place, isChoosing: true } };
  },
});
