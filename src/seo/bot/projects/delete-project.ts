/** Deletes a project in two steps; the first names what goes with it. */
import { consequencesOf } from "../../projects/delete.ts";
import { readProject } from "../../projects/projects.ts";
import { lossText } from "../removal/losses.ts";
import { action, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

export const askToDelete = screen("project:{id}:delete", {
  to: ["project:{id}:delete:yes", "project:{id}:card"],
  async show({ id }, visit) {
    const { language } = visit;
    const { projects, removal, common } = texts[language];
    const { sql } = inStep(visit);
    const whose = whoseOf(visit);
    const project = await ifFound(() => readProject(sql, whose, id));
    if (!project) return undefined;
    const losses = lossText(await consequencesOf(sql, { whose, projectId: id }), language);
    return {
      text: [projects.remove.question(project.name), losses, projects.remove.stays].join("\n\n"),
      buttons: [
        [{ label: removal.yes, to: `project:${id}:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: `project:${id}:card` }],
      ],
    };
  },
});

export const deleteProject = action("project:{id}:delete:yes", {
  to: ["flow:Removal"],
  async act({ id }, visit) {
    const project = await ifFound(() => readProject(visit.sql, whoseOf(visit), id));
    return project && { data: { what: "project", id, next: "page:projects:1" } };
  },
});
