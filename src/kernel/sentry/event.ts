import { z } from "zod";
import { cut } from "../words/index.ts";
import { type Frame, framesOf } from "./frames.ts";
import { limits } from "./limits.ts";
import { ownWords } from "./own-words.ts";

/** What every event of a process says. */
export interface Facts {
  readonly release: string;
  readonly environment: string;
  readonly role: string;
  /** The project's folder. */
  readonly root: string;
  readonly version: string;
  /** Hides secrets in a text. */
  hide(text: string): string;
}

/** The parts of Sentry's event that are used. No `server_name`, no `user`, no `request`. */
export interface SentryEvent {
  readonly event_id: string;
  readonly timestamp: string;
  readonly platform: "node";
  readonly level: "error" | "fatal";
  readonly logger: string;
  readonly release: string;
  readonly environment: string;
  readonly transaction?: string;
  readonly logentry?: { readonly formatted: string };
  readonly exception: { readonly values: readonly [Exception] };
  readonly tags: Readonly<Record<string, string>>;
  readonly contexts: { readonly runtime: { readonly name: "node"; readonly version: string } };
  readonly sdk: { readonly name: "molva"; readonly version: string };
  readonly extra?: Readonly<Record<string, number>>;
}

interface Exception {
  readonly type: string;
  readonly value: string;
  readonly mechanism: { readonly type: "log"; readonly handled: boolean };
  readonly stacktrace?: { readonly frames: readonly Frame[] };
}

/** An error in the log's own form. */
const errorShape = z.union([
  z.looseObject({ type: z.string().default("Error"), message: z.string(), stack: z.string().default("") }),
  z.string().transform((message) => ({ type: "Error", message, stack: "" })),
]);
const lineShape = z.looseObject({
  level: z.enum(["error", "fatal"]),
  time: z.string(),
  msg: z.string().default(""),
  /** The pattern of a route, without ids. */
  route: z.string().optional(),
  method: z.string().optional(),
  err: errorShape.optional().catch(undefined),
  error: errorShape.optional().catch(undefined),
});
type Line = z.infer<typeof lineShape>;

/** Fields of a line that are sent, if they are there: names and ids, no texts. */
const taggedFields = [
  "bot",
  "workspace_id",
  "task",
  "job",
  "worker",
  "service",
  "step",
  "request_id",
] as const;

/** The event of a line, or undefined if it carries no error. */
export function eventOf(written: string, facts: Facts, newId: () => string): SentryEvent | undefined {
  const line = lineShape.safeParse(JSON.parse(written)).data;
  const error = line?.err ?? line?.error;
  if (!line || !error) return undefined;
  const words = (text: string) => ownWords(facts.hide(text));
  const frames = framesOf(facts.hide(error.stack), facts.root, limits.frames);
  return {
    event_id: newId(),
    timestamp: line.time,
    platform: "node",
    level: line.level,
    logger: loggerOf(line),
    ...{ release: facts.release, environment: facts.environment },
    ...(line.route && { transaction: tag([line.method, line.route].join(" ")) }),
    ...(line.msg && { logentry: { formatted: words(line.msg) } }),
    exception: {
      values: [
        {
          type: cut(error.type, limits.tag),
          value: words(error.message),
          mechanism: { type: "log", handled: line.level !== "fatal" },
          ...(frames.length > 0 && { stacktrace: { frames } }),
        },
      ],
    },
    tags: tagsOf(line, facts),
    contexts: { runtime: { name: "node", version: process.version } },
    sdk: { name: "molva", version: facts.version },
  };
}

/** Which part of the system wrote the line. */
function loggerOf(line: Line): string {
  if (line.task !== undefined) return "molva.jobs";
  if (line.request_id !== undefined) return "molva.http";
  if (line.bot !== undefined) return "molva.bots";
  return line.worker === undefined ? "molva" : "molva.worker";
}

function tagsOf(line: Line, { role, hide }: Facts): Record<string, string> {
  const found = taggedFields.flatMap((name) => {
    const value = line[name];
    return typeof value === "string" || typeof value === "number" ? [[name, tag(hide(String(value)))]] : [];
  });
  return { role: tag(role), ...Object.fromEntries(found) };
}

const tag = (value: string) => cut(value.replaceAll("\n", " "), limits.tag);

/** The same error: of one type, at one place, told by the log in the same words. */
export function sameness({ exception: { values }, logentry }: SentryEvent): string {
  const [{ type, value, stacktrace }] = values;
  const own = stacktrace?.frames.filter(({ in_app }) => in_app);
  const nearest = own?.slice(-2).map(({ filename, lineno }) => `${filename}:${lineno}`) ?? [];
  return [type, logentry?.formatted ?? "", ...(nearest.length > 0 ? nearest : [value])].join("\n");
}
