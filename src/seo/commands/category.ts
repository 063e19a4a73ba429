import {
  addList,
  assigned,
  byOf,
  changing,
  checked,
  deleting,
  fieldsHelp,
  type Paged,
  print,
  reading,
  shown,
  table,
} from "../../terminal/index.ts";
import {
  addCategory,
  categoryPage,
  changeCategory,
  deleteCategory,
  readCategory,
} from "../categories/categories.ts";
import { type Category, categoryChanges, newCategory } from "../categories/shape.ts";
import { asPerson, consequencesText, type ForPerson, forPerson, idIn, withSeo } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

export interface OfProject extends ForPerson {
  readonly project: number;
}

/** `molva seo category list|show|add|set|delete`. */
export const addCategories: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("category").description("themes of a project");
  addList<Category, OfProject & Paged>(command, terminal, {
    about: "the categories of a project, the newest first",
    choosing: (list) => forPerson(list).requiredOption("--project <id>", "the project's number", idIn),
    page: ({ sql }, workspaceId, options) =>
      categoryPage(sql, { workspaceId, userId: options.user }, options.project, options),
    shown: table("No categories.", {
      id: ({ id }) => String(id),
      name: ({ name }) => name,
      clusters: ({ clusters }) => String(clusters),
      phrases: ({ phrases }) => String(phrases),
      prices: ({ prices }) => String(prices),
      schedules: ({ schedules }) => String(schedules),
    }),
  });
  forPerson(reading(command, "show", "one category"))
    .argument("<category>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const category = await asPerson(terminal, options, ({ sql }, whose) => readCategory(sql, whose, id));
      print(terminal, options, category, () => shown(category));
    });
  forPerson(changing(command, "add", "add a category"))
    .requiredOption("--project <id>", "the project's number", idIn)
    .argument("<fields...>", "field=value")
    .addHelpText("after", fieldsHelp(newCategory.shape))
    .action(async (typed: string[], options: OfProject) => {
      const fields = checked(newCategory, assigned(newCategory, typed));
      const category = await asPerson(terminal, options, (deps, whose) =>
        addCategory(deps, whose, options.project, fields, byOf(options)),
      );
      print(terminal, options, category, () => `Added the category ${category.id}: ${category.name}.`);
    });
  forPerson(changing(command, "set", "change the name or the description"))
    .argument("<category>", "its number", idIn)
    .argument("<fields...>", "field=value")
    .addHelpText("after", fieldsHelp(categoryChanges.shape))
    .action(async (id: number, typed: string[], options: ForPerson) => {
      const changes = checked(categoryChanges, assigned(categoryChanges, typed));
      const category = await asPerson(terminal, options, (deps, whose) =>
        changeCategory(deps, whose, id, changes, byOf(options)),
      );
      print(terminal, options, category, () => shown(category));
    });
  forPerson(deleting(command, "delete a category; says what goes with it"))
    .argument("<category>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const { dryRun = false } = options;
      const gone = await withSeo(terminal, options, (deps, whose) =>
        deleteCategory(deps, whose, id, { by: byOf(options), dryRun }),
      );
      const rest = consequencesText({ ...gone, categories: 0 });
      print(terminal, options, { dry_run: dryRun, deleted: id, ...gone }, () =>
        dryRun
          ? `Would delete the category ${id} ${rest}; nothing was changed.`
          : `Deleted the category ${id} ${rest}.`,
      );
    });
};
