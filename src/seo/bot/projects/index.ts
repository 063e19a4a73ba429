import { createProject } from "./create-project.ts";
import { askToDelete, deleteProject } from "./delete-project.ts";
import { chooseZone, editField, editProject, fields, timezone } from "./edit-project.ts";
import { begin, card, list } from "./project-screens.ts";

export const projectFlows = [createProject, editProject] as const;
export const projectScreens = [
  ...[list, begin, card],
  ...[fields, timezone, chooseZone, editField, askToDelete, deleteProject],
] as const;
