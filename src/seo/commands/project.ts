import {
  addList,
  assigned,
  byOf,
  changing,
  checked,
  deleting,
  fieldsHelp,
  moment,
  type Paged,
  print,
  reading,
  shown,
  table,
} from "../../terminal/index.ts";
import { deleteDoomed } from "../projects/delete.ts";
import { addProject, changeProject, projectPage, readProject } from "../projects/projects.ts";
import { newProject, type Project, projectChanges } from "../projects/shape.ts";
import { asPerson, consequencesText, type ForPerson, forPerson, idIn, withSeo } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

/** `molva seo project list|show|add|set|delete`. */
export const addProjects: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("project").description("businesses: what a company is and does");
  addList<Project, ForPerson & Paged>(command, terminal, {
    about: "a person's projects, the newest first",
    choosing: forPerson,
    page: ({ sql }, workspaceId, options) => projectPage(sql, { workspaceId, userId: options.user }, options),
    shown: table("No projects.", {
      id: ({ id }) => String(id),
      name: ({ name }) => name,
      site: ({ website_url }) => website_url ?? "",
      filled: ({ filled }) => `${filled}/15`,
      categories: ({ categories }) => String(categories),
      since: ({ created_at }) => moment(created_at),
    }),
  });
  forPerson(reading(command, "show", "one project"))
    .argument("<project>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const project = await asPerson(terminal, options, ({ sql }, whose) => readProject(sql, whose, id));
      print(terminal, options, project, () => shown(project));
    });
  forPerson(changing(command, "add", "add a project: name, company_name and specialization at least"))
    .argument("<fields...>", "field=value")
    .addHelpText("after", fieldsHelp(newProject.shape))
    .action(async (typed: string[], options: ForPerson) => {
      const fields = checked(newProject, assigned(newProject, typed));
      const project = await asPerson(terminal, options, (deps, whose) =>
        addProject(deps, whose, fields, byOf(options)),
      );
      print(terminal, options, project, () => `Added the project ${project.id}: ${project.name}.`);
    });
  forPerson(changing(command, "set", "change fields; null clears one"))
    .argument("<project>", "its number", idIn)
    .argument("<fields...>", "field=value")
    .addHelpText("after", fieldsHelp(projectChanges.shape))
    .action(async (id: number, typed: string[], options: ForPerson) => {
      const changes = checked(projectChanges, assigned(projectChanges, typed));
      const project = await asPerson(terminal, options, (deps, whose) =>
        changeProject(deps, whose, id, changes, byOf(options)),
      );
      print(terminal, options, project, () => shown(project));
    });
  forPerson(deleting(command, "delete a project; says what goes with it"))
    .argument("<project>", "its number", idIn)
    .action(async (projectId: number, options: ForPerson) => {
      const { dryRun = false } = options;
      const gone = await withSeo(terminal, options, (deps, whose) =>
        deleteDoomed(deps, { whose, projectId }, { by: byOf(options), dryRun }),
      );
      print(terminal, options, { dry_run: dryRun, deleted: projectId, ...gone }, () =>
        dryRun
          ? `Would delete the project ${projectId} ${consequencesText(gone)}; nothing was changed.`
          : `Deleted the project ${projectId} ${consequencesText(gone)}.`,
      );
    });
};
