import type { AnswerFlaw } from "../../shared/index.ts";
import { picker } from "../picker.ts";
import { accepts } from "../sample/accepts.ts";
import { isRecord, type Json, type Schema } from "../sample/schema.ts";
import type { Question } from "../words.ts";
import { article } from "./article.ts";
import type { Ground } from "./ground.ts";
import { clusters, competitor, keywords } from "./phrases.ts";
import { description, director, reviews, styleGuide } from "./posts.ts";
import { critique, judgement, outline, plan, research } from "./research.ts";
import { social } from "./social.ts";

interface Task {
  readonly name: string;
  readonly fields: readonly string[];
  write(ground: Ground): object;
}

/** Tasks that the model knows by the fields that it is asked for. */
const tasks: readonly Task[] = [
  { name: "article", fields: ["content_markdown", "faq_schema"], write: article },
  { name: "article_outline", fields: ["h1", "sections"], write: outline },
  { name: "article_critique", fields: ["weaknesses"], write: critique },
  { name: "article_research", fields: ["facts", "statistics"], write: research },
  { name: "article_plan", fields: ["perspectives", "own_facts"], write: plan },
  { name: "claims", fields: ["verdicts"], write: judgement },
  { name: "social_post", fields: ["text", "hashtags"], write: social },
  { name: "keywords_cluster", fields: ["clusters"], write: clusters },
  { name: "keywords", fields: ["keywords"], write: keywords },
  { name: "review", fields: ["reviews"], write: reviews },
  { name: "competitor_analysis", fields: ["key_topics", "content_gaps"], write: competitor },
  { name: "image_director", fields: ["images", "visual_narrative"], write: director },
  { name: "style", fields: ["tone", "sample_sentences"], write: styleGuide },
];

/** The tasks whose next answer can be given from outside; `text` is any other answer in words, `json` any other object. */
export const taskNames = [...tasks.map(({ name }) => name), "description", "text", "json"] as const;

export function nameOfTask(schema: Schema | undefined, { tags }: Question): string {
  if (schema === undefined) return isDescription(tags) ? "description" : "text";
  return taskOf(schema)?.name ?? "json";
}

/** The answer to a task of these fields, if it fits the schema; undefined if the model knows no such task. */
export function taskAnswer(
  schema: Schema,
  { seed, tags }: Question,
  flaw: AnswerFlaw | undefined,
): Json | undefined {
  const task = taskOf(schema);
  if (!task) return undefined;
  const value: Json = JSON.parse(JSON.stringify(task.write({ tags, pick: picker(seed), flaw })));
  return accepts(schema, value) ? value : undefined;
}

/** A task whose answer is plain text: the description of a part of a site. */
export function taskText({ seed, tags }: Question): string | undefined {
  return isDescription(tags) ? description({ tags, pick: picker(seed), flaw: undefined }) : undefined;
}

const isDescription = (tags: Question["tags"]) => tags.one("category") !== "" && tags.one("company") !== "";

function taskOf(schema: Schema): Task | undefined {
  const fields = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  return tasks.find((each) => each.fields.every((field) => field in fields));
}
