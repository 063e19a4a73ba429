import { administer, checked, facts, print, reading, UserError, wholeId } from "../../terminal/index.ts";
import { type CompetitorResult, competitorResult } from "../competitors/competitor-run.ts";
import { competitorUrl, orderCompetitor } from "../competitors/order-competitor.ts";
import { readRun, runColumn } from "../runs/read-runs.ts";
import type { OfProject } from "./category.ts";
import { type ForPerson, forPerson, idIn } from "./for-person.ts";
import { type OrderOptions, orderAndPrint, ordering } from "./ordering.ts";
import type { AddSeoCommand } from "./seo.ts";

/** `molva seo competitor analyse|show`. */
export const addCompetitors: AddSeoCommand = (parent, terminal) => {
  const command = parent
    .command("competitor")
    .description("what competitors write about, and what they miss");
  ordering(command, "analyse", "compare a competitor's page with a project, for tokens")
    .argument("<url>", "the page, such as https://example.com")
    .requiredOption("--project <id>", "the project's number", idIn)
    .action((typed: string, options: OrderOptions & OfProject) => {
      const url = checked(competitorUrl, typed, "url");
      return orderAndPrint(
        terminal,
        options,
        (deps, whose) => orderCompetitor(deps, deps.kinds.competitor, whose, options.project, url),
        ({ result }) => competitorText(competitorResult.parse(result)),
      );
    });
  forPerson(reading(command, "show", "an analysis that was made"))
    .argument("<run>", "its id, or the beginning of it")
    .action(async (typed: string, options: ForPerson) => {
      const run = await administer(terminal, options, async ({ sql }, workspaceId) =>
        readRun(sql, workspaceId, await wholeId(sql, workspaceId, runColumn, typed), options.user),
      );
      const read = competitorResult.safeParse(run.result);
      if (!read.success) throw new UserError(`That run has no analysis; it is ${run.kind}, ${run.status}.`);
      print(terminal, options, read.data, () => competitorText(read.data));
    });
};

function competitorText(found: CompetitorResult): string {
  const list = (title: string, lines: readonly string[]) =>
    [title, ...lines.map((line) => `  - ${line}`)].join("\n");
  return [
    facts([
      ["page", found.url],
      ["title", found.title],
      ["words", String(found.words)],
      ["pages of the site", found.pages === null ? "unknown" : String(found.pages)],
    ]),
    list("Topics", found.key_topics),
    list("Gaps", found.content_gaps),
    found.meta_analysis,
    list("What to do", found.recommendations),
  ].join("\n\n");
}
