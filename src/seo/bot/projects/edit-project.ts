/** Changes one field of a project. */
import { z } from "zod";
import { grid, type StepContext } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { readField } from "../../projects/field.ts";
import { type ProjectField, projectFieldNames, projectFields } from "../../projects/project-fields.ts";
import { changeProject, readProject } from "../../projects/projects.ts";
import type { Project } from "../../projects/shape.ts";
import { inactivity } from "../limits.ts";
import { action, type BotServices, flow, inStep, screen, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { russianZones, zoneIn, zoneLabel } from "./time-zones.ts";

/** A project always has these. */
const required: ReadonlySet<string> = new Set(["name", "company_name", "specialization", "timezone"]);

const editable = [...projectFieldNames, "timezone"] as const;
type Editable = ProjectField | "timezone";
const isEditable = (name: string): name is Editable => editable.some((each) => each === name);

const columns = 2;
const longestShown = { list: 60, question: 1_000 } as const;

export const fields = screen("project:{id}:edit", {
  to: ["project:{id}:field:{@field}", "project:{id}:timezone", "project:{id}:card"],
  async show({ id }, { sql, language, now, ...visit }) {
    const { projects, common } = texts[language];
    const say = projects.edit;
    const project = await ifFound(() => readProject(sql, whoseOf(visit), id));
    if (!project) return undefined;
    const lines = projectFieldNames.map((name) => {
      const value = project[name];
      return `${projectFields[name].label[language]}: ${value === null ? say.empty : shortened(value, longestShown.list)}`;
    });
    const buttons = projectFieldNames.map((name) => ({
      label: `${project[name] === null ? "" : "✓ "}${projectFields[name].label[language]}`,
      to: `project:${id}:field:${name}`,
    }));
    return {
      text: [say.title(project.name), "", ...lines, say.zoneLine(zoneLabel(project.timezone, language, now))]
        .concat("", say.choose)
        .join("\n"),
      buttons: [
        ...grid([...buttons, { label: say.timezone, to: `project:${id}:timezone` }], columns),
        [{ label: common.toProject, to: `project:${id}:card` }],
      ],
    };
  },
});

export const timezone = screen("project:{id}:timezone", {
  to: ["project:{id}:zone:{@zone}", "project:{id}:field:{@field}", "project:{id}:edit"],
  async show({ id }, { sql, language, now, ...visit }) {
    const { projects, common } = texts[language];
    const project = await ifFound(() => readProject(sql, whoseOf(visit), id));
    if (!project) return undefined;
    const zones = russianZones.map(({ key, name }) => ({
      label: `${project.timezone === name ? "✓ " : ""}${zoneLabel(name, language, now)}`,
      to: `project:${id}:zone:${key}`,
    }));
    return {
      text: projects.edit.zones(zoneLabel(project.timezone, language, now)),
      buttons: [
        ...grid(zones, columns),
        [{ label: projects.edit.otherZone, to: `project:${id}:field:timezone` }],
        [{ label: common.back, to: `project:${id}:edit` }],
      ],
    };
  },
});

export const chooseZone = action("project:{id}:zone:{@zone}", {
  to: ["project:{id}:edit"],
  async act({ id, zone: key }, visit) {
    const zone = russianZones.find((each) => each.key === key);
    if (!zone) return undefined;
    const changed = await ifFound(() =>
      changeProject(inStep(visit), whoseOf(visit), id, { timezone: zone.name }),
    );
    const say = texts[visit.language].projects.edit;
    return changed && { to: `project:${id}:edit`, notice: say.saved(say.timezone) };
  },
});

export const editField = action("project:{id}:field:{@field}", {
  to: ["flow:ProjectEdit"],
  async act({ id, field }, visit) {
    if (!isEditable(field)) return undefined;
    const project = await ifFound(() => readProject(visit.sql, whoseOf(visit), id));
    return project && { data: { projectId: id, field } };
  },
});

const editData = z.object({
  projectId: z.int(),
  field: z.enum(editable),
  /** As it is now. */
  value: z.string().nullable(),
});
type EditData = z.infer<typeof editData>;

const card = "screen:project:{id}:edit";
const home = "screen:dashboard";

export const editProject = flow({
  name: "ProjectEdit",
  title: both((t) => t.projects.edit.flow),
  data: editData,
  empty: { projectId: 0, field: "name", value: null },
  first: "field_value",
  rivals: "replace",
  inactivity,
  states: {
    field_value: {
      ask: ({ field, value }, language) => {
        const say = texts[language].projects.edit;
        const label = labelOf(field, language);
        const now = value === null ? "" : `\n${say.now(shortened(value, longestShown.question))}`;
        return `${label}${now}\n\n${say.hints[field]}`;
      },
      prepare: {
        to: [home],
        async take({ data: { projectId, field }, sql, language, ...visit }) {
          const project = await ifFound(() => readProject(sql, whoseOf(visit), projectId));
          if (!project) return { to: home, notice: texts[language].projects.gone };
          return { data: { value: project[field] } };
        },
      },
      text: {
        to: [card, home],
        take(turn, typed) {
          const { field } = turn.data;
          const value = readValue(field, typed);
          const label = labelOf(field, turn.language);
          if (value === undefined) return { refuse: texts[turn.language].projects.edit.fault(label) };
          return save(turn, value);
        },
      },
      buttons: {
        clear: {
          label: both((t) => t.projects.edit.clear),
          when: ({ field, value }) => value !== null && !required.has(field),
          to: [card, home],
          press: (turn) => save(turn, null),
        },
      },
    },
  },
});

async function save(turn: StepContext<EditData, BotServices>, value: string | null) {
  const { projectId, field } = turn.data;
  const say = texts[turn.language].projects;
  const changed = await ifFound(() =>
    changeProject(inStep(turn), whoseOf(turn), projectId, { [field]: value }),
  );
  if (!changed) return { to: home, notice: say.gone } as const;
  const label = labelOf(field, turn.language);
  return {
    to: `screen:project:${projectId}:edit`,
    notice: value === null ? say.edit.cleared(label) : say.edit.saved(label),
  } as const;
}

function readValue(field: Editable, typed: string): string | undefined {
  if (field === "timezone") return zoneIn(typed);
  const read = readField(projectFields[field], typed);
  return read.ok ? read.value : undefined;
}

function labelOf(field: Editable, language: keyof typeof texts): string {
  return field === "timezone" ? texts[language].projects.edit.timezone : projectFields[field].label[language];
}

function shortened(value: Exclude<Project[Editable], null>, longest: number): string {
  const line = value.replaceAll(/\s+/g, " ");
  return line.length > longest ? `${cut(line, longest)}…` : line;
}
