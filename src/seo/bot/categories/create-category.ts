import { z } from "zod";
import { changeCategory, readCategory } from "../../categories/categories.ts";
import { nameField, readField } from "../../projects/field.ts";
import { readProject } from "../../projects/projects.ts";
import { inactivity } from "../limits.ts";
import { action, flow, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { categoryName } from "./category-name.ts";
import { goneHome, orHome } from "./gone.ts";

const card = "screen:category:{id}:card";

export const beginCategory = action("project:{id}:category:new", {
  to: ["flow:CategoryCreate"],
  async act({ id }, visit) {
    const project = await ifFound(() => readProject(visit.sql, whoseOf(visit), id));
    return project && { data: { projectId: id } };
  },
});

const createData = z.object({ projectId: z.int() });

export const createCategory = flow({
  name: "CategoryCreate",
  title: both((t) => t.categories.create.title),
  data: createData,
  empty: { projectId: 0 },
  first: "name",
  rivals: "replace",
  inactivity,
  states: {
    name: categoryName<z.infer<typeof createData>, "name">({
      to: card,
      projectId: (data) => data.projectId,
      created: ({ language }, { id, name }) => ({
        to: `screen:category:${id}:card`,
        notice: texts[language].categories.create.done(name),
      }),
    }),
  },
});

export const beginRename = action("category:{id}:rename", {
  to: ["flow:CategoryRename"],
  async act({ id }, visit) {
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    return category && { data: { categoryId: id, name: category.name } };
  },
});

export const renameCategory = flow({
  name: "CategoryRename",
  title: both((t) => t.categories.rename.title),
  data: z.object({ categoryId: z.int(), name: z.string() }),
  empty: { categoryId: 0, name: "" },
  first: "name",
  rivals: "replace",
  inactivity,
  states: {
    name: {
      ask: ({ name }, language) => texts[language].categories.rename.ask(name),
      text: {
        to: orHome<"name">(card),
        async take(turn, typed) {
          const { categoryId } = turn.data;
          const read = readField(nameField, typed);
          if (!read.ok) return { refuse: read.said[turn.language] };
          const changed = await ifFound(() =>
            changeCategory(inStep(turn), whoseOf(turn), categoryId, { name: read.value }),
          );
          if (!changed) return goneHome(turn);
          const notice = texts[turn.language].categories.rename.done(changed.name);
          return { to: `screen:category:${categoryId}:card`, notice };
        },
      },
    },
  },
});
