/** Steps 1 and 3 of both pipelines: the project and the theme. One is taken without a question, none is created on the way. */
import {
  type AskState,
  type Button,
  pageOf,
  pagerItems,
  type StepContext,
  type Target,
} from "../../../dialogs/index.ts";
import { categoryName } from "../categories/category-name.ts";
import { projectQuestions } from "../projects/project-questions.ts";
import type { BotServices } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { categoryChoices, projectChoices } from "./choices.ts";
import type { Choice, Prepared } from "./prepared-data.ts";

export type ChooseName =
  | "select_project"
  | "create_project_name"
  | "create_project_company"
  | "create_project_spec"
  | "create_project_url"
  | "select_category"
  | "create_category_name";

interface Listed<Data, Name extends string> {
  readonly to: readonly [Target<Name>, ...Target<Name>[]];
  chosen(
    turn: StepContext<Data, BotServices>,
    choice: Choice,
  ): { readonly to: Target<Name>; readonly data: Partial<Data> };
}

/** A button for each of the choices, by pages of eight. */
export function listed<Data extends Prepared, Name extends string>(
  given: Listed<Data, Name>,
): Readonly<Record<"choice" | "pages", Button<Prepared, Name, BotServices>>> {
  const use: Listed<Prepared, Name> = given;
  return {
    choice: {
      label: both(() => ""),
      each: ({ choices, page }) =>
        pageOf(choices, page).items.map(({ id, name }) => ({ arg: String(id), label: name.slice(0, 60) })),
      to: use.to,
      press(turn, arg) {
        const choice = turn.data.choices.find(({ id }) => String(id) === arg);
        // The engine takes taps on buttons alone that are shown.
        if (!choice) throw new Error(`there is no choice ${arg}`);
        const { to, data } = use.chosen(turn, choice);
        return { to, data: { ...data, isChoosing: false, page: 1 } };
      },
    },
    pages: {
      label: both(() => ""),
      each: ({ choices, page }) => pagerItems(pageOf(choices, page)),
      columns: 3,
      to: "@stay",
      press: (_, page) => ({ data: { page: Number(page) } }),
    },
  };
}

/** What need not be asked for: the only one. */
export function taken({ data }: { readonly data: Prepared }, choices: readonly Choice[]): Choice | undefined {
  const [only, ...others] = choices;
  return others.length === 0 && !data.isChoosing ? only : undefined;
}

type Question = "name" | "company_name" | "specialization" | "website_url";

export interface ChooseWords {
  readonly project: string;
  readonly newProject: string;
  readonly category: string;
  readonly newCategory: string;
  readonly nameCategory: string;
  readonly otherProject: string;
}

interface Choosing<Place extends string, Beyond extends string> {
  words(t: Texts): ChooseWords;
  /** What is asked about a new project, if not what its own flow asks. */
  readonly createProject?: (t: Texts) => Readonly<Record<Question, string>>;
  /** Said above the questions when there is no project yet, and once there is one. */
  firstProject?(t: Texts): string;
  projectCreated?(t: Texts, name: string): string;
  /** Step 2, and where a new project leads. */
  readonly place: Place;
  readonly afterProject: Place | "select_project";
  /** Where it goes instead when there is nothing to choose. */
  readonly beyond?: { readonly to: Beyond; when(data: Prepared): boolean };
  /** What is chosen anew with another project, and with another theme. */
  readonly anew: { readonly project: object; readonly category: object };
}

export function chooseStates<Place extends string, Beyond extends string = never>(
  given: Choosing<Place, Beyond>,
) {
  const { words, createProject, firstProject, projectCreated, place, afterProject, beyond, anew } = given;
  type Name = ChooseName | Place | Beyond | "readiness_check";
  type Asked = AskState<Prepared, Name, BotServices>;
  const ofProject = ({ id, name }: Choice) => ({ projectId: id, place: name });
  const withProject = (project: Choice) => ({ ...anew.project, categoryId: 0, ...ofProject(project) });
  const withCategory = ({ id }: { readonly id: number }) => ({
    ...{ ...anew.category, categoryId: id, isChecking: false, isReady: false },
  });

  const select_project: Asked = {
    ask: both((t) => words(t).project),
    prepare: {
      to: [place, "create_project_name", ...(beyond ? [beyond.to] : [])],
      async take(turn) {
        if (beyond?.when(turn.data)) return { to: beyond.to };
        const projects = await projectChoices(turn);
        if (projects.length === 0)
          return {
            to: "create_project_name",
            ...(firstProject && { notice: firstProject(texts[turn.language]) }),
          };
        const { isGiven, projectId } = turn.data;
        const project = projects.find(({ id }) => isGiven && id === projectId) ?? taken(turn, projects);
        return project
          ? { to: place, data: { ...ofProject(project), isGiven: false } }
          : { data: { choices: projects } };
      },
    },
    buttons: {
      ...listed<Prepared, Name>({
        to: [place],
        chosen: (_, project) => ({ to: place, data: withProject(project) }),
      }),
      create: { label: both((t) => words(t).newProject), to: "create_project_name" },
    },
  };

  const project = projectQuestions<Prepared, Name>({
    names: {
      ...{ name: "create_project_name", company_name: "create_project_company" },
      ...{ specialization: "create_project_spec", website_url: "create_project_url" },
    },
    ...(createProject && { ask: createProject }),
    to: afterProject,
    created: ({ language }, created) => ({
      data: { ...withProject(created), isChoosing: false, isGiven: true },
      ...(projectCreated && { notice: projectCreated(texts[language], created.name) }),
    }),
  });

  const select_category: Asked = {
    ask: both((t) => words(t).category),
    prepare: {
      to: ["create_category_name", "readiness_check"],
      async take(turn) {
        const categories = await categoryChoices(turn, turn.data.projectId);
        if (categories.length === 0) return { to: "create_category_name" };
        const category = taken(turn, categories);
        return category
          ? { to: "readiness_check", data: { categoryId: category.id } }
          : { data: { choices: categories } };
      },
    },
    buttons: {
      ...listed<Prepared, Name>({
        to: ["readiness_check"],
        chosen: (_, category) => ({ to: "readiness_check", data: withCategory(category) }),
      }),
      create: { label: both((t) => words(t).newCategory), to: "create_category_name" },
      project: {
        label: both((t) => words(t).otherProject),
        to: "select_project",
        press: () => ({ data: { ...anew.project, projectId: 0, isChoosing: true, page: 1 } }),
      },
    },
  };

  return {
    select_project,
    create_project_name: project.name,
    create_project_company: project.company_name,
    create_project_spec: project.specialization,
    create_project_url: project.website_url,
    select_category,
    create_category_name: categoryName<Prepared, Name>({
      ask: (t) => words(t).nameCategory,
      to: "readiness_check",
      projectId: ({ projectId }) => projectId,
      created: (_, category) => ({ data: { ...withCategory(category), isChoosing: false } }),
    }),
  } as const;
}
