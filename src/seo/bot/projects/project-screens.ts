import { pageOf, pager } from "../../../dialogs/index.ts";
import { connectionPage } from "../../connections/connections.ts";
import { projectFieldNames } from "../../projects/project-fields.ts";
import { projectPage, readProject } from "../../projects/projects.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { platformTypes } from "../../settings/shape.ts";
import { action, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

/** More than anybody has; the list is paged by eight. */
const most = 200;

export const list = screen("page:projects:{page}", {
  to: ["page:projects:{page}", "project:{id}:card", "project:new", "dashboard"],
  async show({ page: wanted }, visit) {
    const { projects: say, common } = texts[visit.language];
    const { items } = await projectPage(inStep(visit).sql, whoseOf(visit), { limit: most });
    const page = pageOf(items, wanted);
    return {
      text: items.length === 0 ? say.list.empty : say.list.title(items.length),
      buttons: [
        ...page.items.map(({ id, name }) => [{ label: name, to: `project:${id}:card` }]),
        pager(page, (each) => `page:projects:${each}`),
        [{ label: say.list.create, to: "project:new", style: "success" }],
        [{ label: common.mainMenu, to: "dashboard" }],
      ],
    };
  },
});

export const begin = action("project:new", { to: ["flow:ProjectCreate"], act: () => ({}) });

export const card = screen("project:{id}:card", {
  to: [
    ...["project:{id}:edit", "project:{id}:categories", "project:{id}:connections", "project:{id}:scheduler"],
    ...["project:{id}:analysis", "project:{id}:delete", "page:projects:{page}", "dashboard"],
  ],
  async show({ id }, visit) {
    const { projects, common } = texts[visit.language];
    const say = projects.card;
    const { sql } = inStep(visit);
    const project = await ifFound(() => readProject(sql, whoseOf(visit), id));
    if (!project) return undefined;
    const { items: connections } = await connectionPage(sql, whoseOf(visit), id, { limit: most });
    const platforms = platformTypes
      .filter((platform) => connections.some(({ platform_type }) => platform_type === platform))
      .map((platform) => platformNames[platform]);
    const lines = [
      project.name,
      "",
      ...(project.website_url ? [say.site(project.website_url)] : []),
      say.platforms(platforms.join(", ")),
      say.counts(project.categories, project.publications),
      say.filled(project.filled, projectFieldNames.length),
    ];
    return {
      text: [...lines, "", project.categories === 0 ? say.nextCategory : say.next].join("\n"),
      buttons: [
        [
          { label: say.edit, to: `project:${id}:edit` },
          { label: say.categories, to: `project:${id}:categories` },
        ],
        [
          { label: say.connections, to: `project:${id}:connections` },
          { label: say.scheduler, to: `project:${id}:scheduler` },
        ],
        [{ label: say.analysis, to: `project:${id}:analysis` }],
        [{ label: say.remove, to: `project:${id}:delete`, style: "danger" }],
        [
          { label: common.toProjects, to: "page:projects:1" },
          { label: common.mainMenu, to: "dashboard" },
        ],
      ],
    };
  },
});
