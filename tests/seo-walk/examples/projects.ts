import { addCategory } from "../../../src/seo/categories/categories.ts";
import { addProject } from "../../../src/seo/projects/projects.ts";
import type { Examples, Given } from "../walk-given.ts";
import { names } from "../walk-world.ts";

/** The four questions about a new project, wherever they are asked. */
export function projectQuestionExamples(
  { taps, types }: Given,
  at: Readonly<Record<"name" | "company" | "spec" | "url", string>>,
): Examples {
  const answers = { name: names.project, companyName: names.company, specialization: names.specialization };
  return {
    [at.name]: [types(names.project), types("T")],
    [at.company]: [types(names.company)],
    [at.spec]: [types(names.specialization)],
    [at.url]: [taps(answers), types("https://tea.example", answers), types("no address", answers)],
  };
}

export function projectExamples(how: Given): Examples {
  const { taps, types, world } = how;
  const { projectId, categoryId, gone, services, whose } = world;
  const city = { projectId, field: "company_city", value: "Perm" };
  const nowhere = { ...city, projectId: gone };
  const doomed = (what: string, next: string) => ({ what, next, id: gone });
  return {
    ...projectQuestionExamples(how, {
      ...{ name: "ProjectCreate.name", company: "ProjectCreate.company_name" },
      ...{ spec: "ProjectCreate.specialization", url: "ProjectCreate.website_url" },
    }),
    "ProjectEdit.field_value": [
      ...[taps(city), taps(nowhere), types("Perm", city), types("Perm", nowhere)],
      types("nowhere", { ...city, field: "timezone" }),
    ],
    "CategoryCreate.name": [
      types(names.category, { projectId }),
      types(names.category, { projectId: gone }),
      types("T", { projectId }),
    ],
    "CategoryRename.name": [
      types(names.category, { categoryId }),
      types(names.category, { categoryId: gone }),
    ],
    "Removal.deleting": [
      taps(async () => {
        const fields = { company_name: names.company, specialization: names.specialization };
        const { id } = await addProject(services, whose, { name: "Doomed", ...fields });
        return { what: "project", id, next: "page:projects:1" };
      }),
      taps(async () => {
        const { id } = await addCategory(services, whose, projectId, { name: "Doomed" });
        return { what: "category", id, next: `project:${projectId}:categories` };
      }),
      taps(doomed("connection", `project:${projectId}:connections`)),
      taps(doomed("media", `category:${categoryId}:media`)),
      taps(doomed("project", "dashboard")),
    ],
    "ScheduleSetup.select_days": [taps({ days: ["mon"] }), taps({})],
    "ScheduleSetup.select_times": [
      taps({ categoryId, connectionId: world.channelId, days: ["mon"], count: 1, times: ["10:00"] }),
      taps({ categoryId: gone, connectionId: world.channelId, days: ["mon"], count: 1, times: ["10:00"] }),
      taps({ count: 2, times: ["10:00"] }),
    ],
  };
}
