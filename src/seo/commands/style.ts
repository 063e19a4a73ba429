import { basename } from "node:path";
import { longestSource } from "../../content/index.ts";
import { byOf, deleting, exitCodes, facts, moment, print, reading, UserError } from "../../terminal/index.ts";
import { orderStyle, readStyle, removeStyle, type StyleGuide, styleResult } from "../styleguide/index.ts";
import { bytesOf } from "./bytes-of.ts";
import { asPerson, type ForPerson, forPerson, idIn } from "./for-person.ts";
import { type OrderOptions, orderAndPrint, ordering } from "./ordering.ts";
import type { AddSeoCommand } from "./seo.ts";

interface LearnOptions extends OrderOptions {
  readonly file?: string[];
  readonly url?: string[];
}

/** `molva seo style learn|show|remove`. */
export const addStyles: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("style").description("how a project writes, learned from texts it likes");
  ordering(command, "learn", "learn the style from three to five texts, for nothing")
    .argument("<project>", "its number", idIn)
    .option("--file <path>", "a text: .md, .html, or plain text with a paragraph on each line", added)
    .option("--url <address>", "a page on the public web", added)
    .addHelpText("after", "\nGive --file and --url as often as there are texts, three to five in all.")
    .action(async (id: number, options: LearnOptions) => {
      const texts = await Promise.all((options.file ?? []).map(textIn));
      const urls = options.url ?? [];
      await orderAndPrint(
        terminal,
        options,
        (deps, whose) => orderStyle(deps, deps.kinds.style, whose, id, { texts, urls }),
        ({ result }) => {
          const { warning, ...guide } = styleResult.parse(result);
          return [guideFacts(guide), ...(warning ? [warning.en] : [])].join("\n\n");
        },
      );
    });
  forPerson(reading(command, "show", "the style guide"))
    .argument("<project>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const guide = await asPerson(terminal, options, ({ sql }, whose) => readStyle(sql, whose, id));
      if (!guide)
        throw new UserError(
          `The project has no style guide yet: molva seo style learn ${id} --user ${options.user} --file …`,
        );
      print(terminal, options, guide, () => `${guideFacts(guide)}\n\nLearned ${moment(guide.learned_at)}.`);
    });
  forPerson(deleting(command, "remove the style guide: texts are written without one", "remove"))
    .argument("<project>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const { dryRun = false } = options;
      await asPerson(terminal, options, (deps, whose) =>
        removeStyle(deps, whose, id, { by: byOf(options), dryRun }),
      );
      print(terminal, options, { dry_run: dryRun, project_id: id }, () =>
        dryRun ? "Would remove the style guide; nothing was changed." : "Removed the style guide.",
      );
    });
};

const added = (value: string, before: string[] = []) => [...before, value];

async function textIn(path: string) {
  const bytes = await bytesOf(path);
  const text = bytes.toString("utf8");
  if (text.includes("\uFFFD") || text.includes("\0") || text.length > longestSource)
    throw new UserError(`${path} is not a text in UTF-8, or is too long to learn from`, exitCodes.usage);
  const format = /\.html?$/i.test(path) ? "html" : /\.(?:md|markdown)$/i.test(path) ? "markdown" : "text";
  return { name: basename(path), text, format } as const;
}

function guideFacts({ features, description, learned_from }: Omit<StyleGuide, "learned_at">): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return facts([
    ["learned from", learned_from.map(({ name, words }) => `${name} (${words} words)`).join(", ")],
    ["sentences", `${features.sentence_words} words, variation ${features.sentence_variation}`],
    ["paragraphs", `${features.paragraph_words} words`],
    ["reader", features.address === "none" ? "not addressed" : `«${features.address}»`],
    ["«мы»", `${features.we} per 100 words`],
    ["questions", percent(features.questions)],
    ["exclamations", percent(features.exclamations)],
    ["lists", `${percent(features.lists)} of the words`],
    ["emoji", `${features.emoji} per 100 words`],
    ["tone", [features.tone, ...(description ? [description.tone] : [])].join(": ")],
    ["favourite words", features.favourite_words.join(", ") || undefined],
    ["avoids", description?.avoid.join("; ") || undefined],
    ["structure", description?.structure.join("; ") || undefined],
  ]);
}
