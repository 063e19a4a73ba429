/** Deletes a category in two steps; the first names what goes with it. */
import { readCategory } from "../../categories/categories.ts";
import { consequencesOf } from "../../projects/delete.ts";
import { lossText } from "../removal/losses.ts";
import { action, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

export const askToDeleteCategory = screen("category:{id}:delete", {
  to: ["category:{id}:delete:yes", "category:{id}:card"],
  async show({ id }, visit) {
    const { categories, removal, common } = texts[visit.language];
    const { sql } = inStep(visit);
    const whose = whoseOf(visit);
    const category = await ifFound(() => readCategory(sql, whose, id));
    if (!category) return undefined;
    const lost = await consequencesOf(sql, { whose, projectId: category.project_id, categoryId: id });
    return {
      text: [
        categories.remove.question(category.name),
        lossText({ ...lost, categories: 0 }, visit.language),
        categories.remove.stays,
      ].join("\n\n"),
      buttons: [
        [{ label: removal.yes, to: `category:${id}:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: `category:${id}:card` }],
      ],
    };
  },
});

export const deleteCategoryNow = action("category:{id}:delete:yes", {
  to: ["flow:Removal"],
  async act({ id }, visit) {
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    return category && { data: { what: "category", id, next: `project:${category.project_id}:categories` } };
  },
});
