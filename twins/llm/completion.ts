import { createHash } from "node:crypto";
import type { AnswerFlaw } from "../shared/index.ts";
import { ApiError } from "./api-error.ts";
import type { ChatMessage, ChatRequest, JsonSchema } from "./body.ts";
import { mediaOf } from "./media.ts";
import type { Model } from "./models.ts";
import { pictureFor, type SentPicture, tokensPerPicture } from "./picture/pictures.ts";
import { sample } from "./sample/sample.ts";
import { nameOfTask, taskAnswer, taskText } from "./tasks/index.ts";
import { tagsIn } from "./tasks/tags.ts";
import { answerText, type Question, tasteOf } from "./words.ts";

/** A model's result, before it is put into the provider's envelope. */
export interface Completion {
  readonly text: string;
  readonly refusal: string | null;
  readonly toolCall?: { readonly name: string; readonly arguments: string };
  readonly pictures: readonly SentPicture[];
  readonly finish: "stop" | "length" | "tool_calls";
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A token is two to four characters of Russian; images and sounds have prices of their own. */
const charsPerToken = 3;
const tokensPerImage = 1_000;
const tokensPerSound = 96;

/** Looks for an answer that was given for a task from outside. */
export type NextAnswer = (task: string) => string | undefined;

export function complete(
  request: ChatRequest,
  model: Model,
  flaw: AnswerFlaw | undefined,
  nextAnswer: NextAnswer = () => undefined,
): Completion {
  const question = questionOf(request, model);
  const promptTokens = promptTokensOf(request);
  const most = request.max_completion_tokens ?? request.max_tokens ?? model.maxCompletion;
  const done = (text: string, rest: Partial<Completion> = {}): Completion => ({
    ...{ text, refusal: null, pictures: [], finish: "stop", promptTokens, completionTokens: tokensIn(text) },
    ...rest,
  });
  if (flaw === "empty") return done("");
  if (flaw === "refusal") {
    const refusal = "Извините, с этой просьбой помочь не могу.";
    return done("", { refusal, completionTokens: tokensIn(refusal) });
  }
  if (request.modalities?.includes("image")) {
    if (flaw === "no_image") return done("Картинка готова, но показать её не получилось.");
    const { aspect_ratio: ratio, image_size: size } = request.image_config ?? {};
    const picture = pictureFor(question.seed, { ratio, size }, flaw);
    return done("", { pictures: [picture], completionTokens: tokensPerPicture });
  }
  const tool = toolOf(request);
  const schema = tool?.parameters ?? schemaOf(request);
  const whole =
    nextAnswer(nameOfTask(schema, question)) ??
    (schema ? structured(schema, question, flaw, isHealed(request)) : textFor(question));
  const allowed = flaw === "truncated" ? Math.ceil(tokensIn(whole) / 2) : most;
  const text = tokensIn(whole) > allowed ? whole.slice(0, allowed * charsPerToken) : whole;
  const finish = text.length < whole.length ? "length" : tool ? "tool_calls" : "stop";
  if (tool)
    return done("", {
      finish,
      toolCall: { name: tool.name, arguments: text },
      completionTokens: tokensIn(text),
    });
  return done(text, { finish });
}

export function tokensIn(text: string): number {
  return Math.ceil(text.length / charsPerToken);
}

export function promptTokensOf({ messages }: ChatRequest): number {
  const { images, sounds } = mediaOf(messages);
  const text = messages.reduce((sum, message) => sum + tokensIn(wordsOf(message)) + 4, 0);
  return text + images.length * tokensPerImage + sounds.length * tokensPerSound;
}

/** The text of a message, in either form. */
export function wordsOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function questionOf({ messages, seed }: ChatRequest, model: Model): Question {
  const last = messages.findLast(({ role }) => role === "user");
  const text = last ? saidIn(wordsOf(last)) : "";
  const all = JSON.stringify(messages.map((message) => [message.role, message.content]));
  // Who asks the same tomorrow gets the same answer.
  const digest = createHash("sha256").update(all.replace(days, "")).digest("hex");
  const asked = messages.filter(({ role }) => role === "user").map(wordsOf);
  return {
    ...{ text, media: mediaOf(messages), seed: `${model.id} ${seed ?? ""} ${digest}` },
    tags: tagsIn(asked.join("\n")),
  };
}

const days = /\b20\d\d-\d\d-\d\d\b/g;

/** A prompt may have tagged context blocks before the question: the last block is the question. */
function saidIn(message: string): string {
  return /<([a-z_]+)>([^<]*)<\/\1>\s*$/.exec(message)?.[2]?.trim() || message;
}

function toolOf({ tools = [], tool_choice: choice }: ChatRequest) {
  const name = typeof choice === "object" ? choice.function.name : undefined;
  if (choice !== "required" && name === undefined) return undefined;
  const tool = name === undefined ? tools[0] : tools.find((each) => each.function.name === name);
  if (!tool)
    throw new ApiError(400, "invalid_request", "Tool choice names a tool that is not among the tools.");
  return { name: tool.function.name, parameters: tool.function.parameters ?? { type: "object" } };
}

function schemaOf({ response_format: format }: ChatRequest): JsonSchema | undefined {
  if (format?.type === "json_schema") return format.json_schema.schema;
  return format?.type === "json_object"
    ? { type: "object", properties: { answer: { type: "string" } } }
    : undefined;
}

function textFor(question: Question): string {
  return taskText(question) ?? answerText(question);
}

/** OpenRouter's plugin repairs the form of whole answers, and neither their shape nor their length. */
function isHealed({ plugins = [], stream }: ChatRequest): boolean {
  return !stream && plugins.some(({ id, enabled }) => id === "response-healing" && enabled !== false);
}

function structured(
  schema: JsonSchema,
  question: Question,
  flaw: AnswerFlaw | undefined,
  healed: boolean,
): string {
  if (flaw === "invalid") return JSON.stringify({ unexpected: true });
  const written = taskAnswer(schema, question, flaw);
  const value = written ?? sample(schema, (attempt) => tasteOf(question, attempt));
  if (value === undefined)
    throw new ApiError(400, "invalid_request", "The response schema cannot be satisfied by any answer.");
  const text = JSON.stringify(value);
  if (healed) return text;
  if (flaw === "broken") return text.replace(/^\{"(\w+)":/, "{$1:").replace(/\}$/, ",");
  return flaw === "fenced" ? `Вот ответ:\n\`\`\`json\n${text}\n\`\`\`\nГотово.` : text;
}
