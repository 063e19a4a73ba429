/** The four questions about a new project: asked by its own flow, and inside the pipelines. */
import { z } from "zod";
import type { AskState, StepContext, StepResult, Targets } from "../../../dialogs/index.ts";
import { readField } from "../../projects/field.ts";
import { projectFields } from "../../projects/project-fields.ts";
import { addProject } from "../../projects/projects.ts";
import type { Project } from "../../projects/shape.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, type Texts } from "../texts/index.ts";

export const projectAnswers = z.object({
  name: z.string(),
  companyName: z.string(),
  specialization: z.string(),
});
export type ProjectAnswers = z.infer<typeof projectAnswers>;
export const noAnswers: ProjectAnswers = { name: "", companyName: "", specialization: "" };

type Question = "name" | "company_name" | "specialization" | "website_url";

export interface ProjectQuestions<Data extends ProjectAnswers, Name extends string> {
  /** How the flow calls the four states. */
  readonly names: Readonly<Record<Question, Name>>;
  /** What is asked, if not what the flow of its own asks. */
  readonly ask?: (t: Texts) => Readonly<Record<Question, string>>;
  readonly to: Targets<Name>;
  /** With the project, once it is there. */
  created(
    turn: StepContext<Data, BotServices>,
    project: Project,
  ): StepResult<Data, Name> | Promise<StepResult<Data, Name>>;
}

/** `{ name, company_name, specialization, website_url }`: states for the flow to place under its own names. */
export function projectQuestions<Data extends ProjectAnswers, Name extends string>({
  names,
  ask = (t) => t.projects.create,
  to,
  created,
}: ProjectQuestions<Data, Name>) {
  const question = (
    name: Exclude<Question, "website_url">,
    key: keyof ProjectAnswers,
    next: Name,
  ): AskState<ProjectAnswers, Name, BotServices> => ({
    ask: both((t) => ask(t)[name]),
    text: {
      to: next,
      take({ language }, typed) {
        const read = readField(projectFields[name], typed);
        return read.ok ? { data: { [key]: read.value } } : { refuse: read.said[language] };
      },
    },
  });
  const finish = async (turn: StepContext<Data, BotServices>, url: string | null) => {
    const { name, companyName, specialization } = turn.data;
    const fields = { name, company_name: companyName, specialization, website_url: url };
    return created(turn, await addProject(inStep(turn), whoseOf(turn), fields));
  };
  const site: AskState<Data, Name, BotServices> = {
    ask: both((t) => ask(t).website_url),
    text: {
      to,
      take(turn, typed) {
        const read = readField(projectFields.website_url, typed);
        return read.ok ? finish(turn, read.value) : { refuse: read.said[turn.language] };
      },
    },
    buttons: {
      skip: { label: both((t) => t.common.skip), to, press: (turn) => finish(turn, null) },
    },
  };
  return {
    name: question("name", "name", names.company_name),
    company_name: question("company_name", "companyName", names.specialization),
    specialization: question("specialization", "specialization", names.website_url),
    website_url: site,
  };
}
