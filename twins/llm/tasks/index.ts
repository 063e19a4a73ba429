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

/** Tasks that the model knows by the fields that it is asked for. */
const tasks: readonly { readonly fields: readonly string[]; write(ground: Ground): object }[] = [
  { fields: ["content_markdown", "faq_schema"], write: article },
  { fields: ["h1", "sections"], write: outline },
  { fields: ["weaknesses"], write: critique },
  { fields: ["facts", "statistics"], write: research },
  { fields: ["perspectives", "own_facts"], write: plan },
  { fields: ["verdicts"], write: judgement },
  { fields: ["text", "hashtags"], write: social },
  { fields: ["clusters"], write: clusters },
  { fields: ["keywords"], write: keywords },
  { fields: ["reviews"], write: reviews },
  { fields: ["key_topics", "content_gaps"], write: competitor },
  { fields: ["images", "visual_narrative"], write: director },
  { fields: ["tone", "sample_sentences"], write: styleGuide },
];

/** The answer to a task of these fields, if it fits the schema; undefined if the model knows no such task. */
export function taskAnswer(
  schema: Schema,
  { seed, tags }: Question,
  flaw: AnswerFlaw | undefined,
): Json | undefined {
  const fields = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {};
  const task = tasks.find((each) => each.fields.every((field) => field in fields));
  if (!task) return undefined;
  const value: Json = JSON.parse(JSON.stringify(task.write({ tags, pick: picker(seed), flaw })));
  return accepts(schema, value) ? value : undefined;
}

/** A task whose answer is plain text: the description of a part of a site. */
export function taskText({ seed, tags }: Question): string | undefined {
  const isDescription = tags.one("category") !== "" && tags.one("company") !== "";
  return isDescription ? description({ tags, pick: picker(seed), flaw: undefined }) : undefined;
}
