import { inactivity, keepHours } from "../limits.ts";
import { flow } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { noAnswers, projectAnswers, projectQuestions } from "./project-questions.ts";

const names = {
  name: "name",
  company_name: "company_name",
  specialization: "specialization",
  website_url: "website_url",
} as const;

export const createProject = flow({
  name: "ProjectCreate",
  title: both((t) => t.projects.create.title),
  data: projectAnswers,
  empty: noAnswers,
  first: "name",
  rivals: "replace",
  inactivity,
  cancelLabel: both((t) => t.projects.create.interrupt),
  cancelled: both((t) => t.common.cancelled),
  keep: {
    hours: keepHours,
    told: both((t) => t.projects.create.interrupted),
    when: ({ name }) => name !== "",
    summary: ({ name, companyName, specialization }, _, language) =>
      texts[language].projects.create.kept(
        [name, companyName, specialization].filter((each) => each !== "").join(", "),
      ),
  },
  states: projectQuestions({
    names,
    to: "screen:project:{id}:card",
    created: ({ language }, { id, name }) => ({
      to: `screen:project:${id}:card`,
      notice: texts[language].projects.create.done(name),
    }),
  }),
});
