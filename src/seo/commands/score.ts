import { createReadStream } from "node:fs";
import { longestSource } from "../../content/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import {
  type Common,
  columns,
  exitCodes,
  inWorkspace,
  print,
  printing,
  type Terminal,
  UserError,
} from "../../terminal/index.ts";
import { loadLanguage } from "../language/index.ts";
import { readFrontMatter } from "../score/front-matter.ts";
import { type Dimension, dimensions, type Score, type ScoreInput, scoreArticle } from "../score/index.ts";
import {
  checkStyle,
  deviationText,
  readStyle,
  type StyleDeviation,
  type StyleGuide,
} from "../styleguide/index.ts";
import { asPerson, idIn, userIn } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

interface Options extends Common {
  readonly phrase?: string;
  readonly secondary?: readonly string[];
  readonly title?: string;
  readonly meta?: string;
  readonly words?: string;
  readonly site?: string;
  readonly asPublished?: boolean;
  readonly lang: string;
  readonly project?: number;
  readonly user?: number;
}

/** `molva seo score`: needs no key, and no database unless a project's style is compared. */
export const addScore: AddSeoCommand = (seo, terminal) => {
  inWorkspace(printing(seo.command("score")))
    .description("score an article, 0 to 100, and say what to change")
    .argument("<file>", "an article in Markdown or HTML; - reads standard input")
    .option("--phrase <text>", "the phrase by which people are to find it")
    .option("--secondary <text...>", "further phrases that it should cover")
    .option("--title <text>", "its title, if the file does not begin with one")
    .option("--meta <text>", "its meta description")
    .option("--words <min-max>", "how long it should be, such as 1500-2500")
    .option("--site <address>", "the site, so that links to it count as internal")
    .option("--as-published", "count the contents and Schema.org that publishing adds")
    .option("--project <id>", "compare it with the style guide of this project, given with --user", idIn)
    .option("--user <id>", "the Telegram id of the project's owner", userIn)
    .option("--lang <language>", "ru or en", "en")
    .addHelpText(
      "after",
      "\nThe file is Markdown, or HTML if its name ends in .html. Lines between --- at its top may give title,\ndescription, phrase, secondary and target (min, max); options win. The score is a checklist, not a promise of places.",
    )
    .action(async (file: string, options: Options) => {
      const lang = options.lang;
      if (lang !== "ru" && lang !== "en") throw new UserError("--lang is ru or en", exitCodes.usage);
      const input = inputOf(file, await readSource(file), options);
      const guide = await guideOf(terminal, options);
      const language = await loadLanguage();
      const score = scoreArticle(input, language);
      if (!guide) return print(terminal, options, score, () => inText(score, lang));
      const style = checkStyle(input, guide.features, language);
      print(
        terminal,
        options,
        { ...score, style },
        () => `${inText(score, lang)}\n${styleText(style, lang)}`,
      );
    });
};

/** The style guide of the project that the options name, if they name one. */
async function guideOf(terminal: Terminal, options: Options): Promise<StyleGuide | undefined> {
  const { project, user } = options;
  if (project === undefined && user === undefined) return undefined;
  if (project === undefined || user === undefined)
    throw new UserError("Give --project and --user together.", exitCodes.usage);
  const guide = await asPerson(terminal, { ...options, user }, ({ sql }, whose) =>
    readStyle(sql, whose, project),
  );
  if (guide) return guide;
  throw new UserError(
    `The project has no style guide yet: molva seo style learn ${project} --user ${user} --file …`,
  );
}

/** Beside the score: deviations take no points. */
function styleText(style: readonly StyleDeviation[], lang: "ru" | "en"): string {
  const [like, unlike] =
    lang === "ru"
      ? ["Стиль: похоже на ваши тексты.", "Стиль: чем отличается от ваших текстов (на баллы не влияет):"]
      : ["Style: like the project's texts.", "Style: unlike the project's texts (takes no points):"];
  return `\n${style.length === 0 ? like : [unlike, ...style.map((each) => `- ${deviationText(each, lang)}`)].join("\n")}`;
}

/** UTF-8 takes up to three bytes for what counts as one unit. */
const mostBytes = 3 * longestSource;

async function readSource(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // As a stream: a huge file or an endless pipe is not read to its end.
    for await (const chunk of createReadStream(path === "-" ? "/dev/stdin" : path)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostBytes) break;
    }
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`, exitCodes.usage);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.includes(0)) throw notText(path);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(size > mostBytes ? bytes.subarray(0, 0) : bytes);
  } catch {
    throw notText(path);
  }
  if (size > mostBytes || text.length > longestSource)
    throw new UserError(
      `${path} is too large: an article has at most ${longestSource} characters. Score its parts, or cut it.`,
      exitCodes.usage,
    );
  if (text.trim() === "") throw new UserError(`${path} is empty: there is nothing to score`, exitCodes.usage);
  return text;
}

function notText(path: string): UserError {
  return new UserError(
    `${path} is not a text in UTF-8: save the article as Markdown or HTML`,
    exitCodes.usage,
  );
}

function inputOf(file: string, source: string, options: Options): ScoreInput {
  const read = readFrontMatter(source);
  if (!read.ok)
    throw new UserError(`${file}: the lines between --- cannot be read: ${read.reason}`, exitCodes.usage);
  const { fields, body } = read;
  const phrase = (options.phrase ?? fields.phrase ?? "").trim();
  if (phrase === "")
    throw new UserError(
      'which phrase? Give --phrase "…", or phrase: between --- in the file',
      exitCodes.usage,
    );
  const isHtml =
    /\.html?$/i.test(file) || /^\s*<(?:!doctype|html|article|h[1-6]|p|div|section)[\s>]/i.test(body);
  return {
    body,
    format: isHtml ? "html" : "markdown",
    phrase,
    title: options.title ?? fields.title,
    metaDescription: options.meta ?? fields.description,
    secondary: options.secondary ?? fields.secondary,
    targetWords: options.words === undefined ? fields.target : rangeOf(options.words),
    site: options.site,
    adds: options.asPublished ? { contents: true, schema: true } : undefined,
  };
}

function rangeOf(typed: string): { min: number; max: number } {
  const [, min, max] = /^(\d{1,6})[-–](\d{1,6})$/.exec(typed.trim()) ?? [];
  if (min === undefined || max === undefined || Number(min) > Number(max) || Number(min) === 0)
    throw new UserError("--words is a range such as 1500-2500", exitCodes.usage);
  return { min: Number(min), max: Number(max) };
}

const names: Readonly<Record<"ru" | "en", Readonly<Record<Dimension, string>>>> = {
  ru: {
    seo: "SEO",
    readability: "читаемость",
    structure: "структура",
    naturalness: "естественность",
    depth: "глубина",
  },
  en: {
    seo: "SEO",
    readability: "readability",
    structure: "structure",
    naturalness: "naturalness",
    depth: "depth",
  },
};

const gateTexts: Readonly<Record<"ru" | "en", Readonly<Record<Score["gate"], string>>>> = {
  ru: {
    pass: "можно публиковать",
    warn: "стоит доработать",
    may_publish: "слабо, публиковать можно с оговоркой",
    block: "публиковать нельзя",
  },
  en: {
    pass: "ready to publish",
    warn: "worth another pass",
    may_publish: "weak, may be published with a warning",
    block: "not to be published",
  },
};

function inText(score: Score, lang: "ru" | "en"): string {
  const rows = Object.entries(score.breakdown).map(([name, got]) => {
    const dimension = name as Dimension;
    return [names[lang][dimension], String(got), String(dimensions[dimension])];
  });
  const headings = lang === "ru" ? ["ЧАСТЬ", "БАЛЛЫ", "ИЗ"] : ["PART", "POINTS", "OF"];
  const issues = score.issues.map((issue, index) => {
    const lost = Number((issue.max - issue.points).toFixed(1));
    const wanted = lang === "ru" ? "нужно" : "wanted";
    return `${index + 1}. +${lost}  ${issue.label[lang]}: ${issue.found[lang]} (${wanted}: ${issue.wanted[lang]})\n   ${issue.change[lang]}`;
  });
  return [
    `${score.total}/100, ${gateTexts[lang][score.gate]}`,
    "",
    columns(headings, rows),
    ...(issues.length > 0 ? ["", lang === "ru" ? "Что изменить:" : "What to change:", ...issues] : []),
    ...score.warnings.map((warning) => `\n${warning.code}: ${warning.detail}`),
  ].join("\n");
}
