import { InvalidArgumentError, Option } from "commander";
import { columns, inWorkspace, print, printing, wholeId, withCore } from "../../terminal/index.ts";
import { seoParts, workshopOf } from "../parts.ts";
import { type RunDetail, runColumn } from "../runs/read-runs.ts";
import { regenerateText, saveText } from "../texts/decide-on-text.ts";
import { descriptionKind, descriptionResult } from "../texts/description-run.ts";
import { orderDescription } from "../texts/order-description.ts";
import { orderReviews } from "../texts/order-reviews.ts";
import { type ReviewsOrder, reviewsResult } from "../texts/reviews-run.ts";
import { reviewQuantities } from "../texts/sample-reviews.ts";
import { type ForPerson, forPerson, idIn } from "./for-person.ts";
import { type OrderOptions, orderAndPrint, ordering } from "./ordering.ts";
import type { AddSeoCommand } from "./seo.ts";

/** `molva seo category describe|reviews`, which `addCategories` must have begun, and `molva seo text save|regenerate`. */
export const addTexts: AddSeoCommand = (parent, terminal) => {
  const category = parent.commands.find((each) => each.name() === "category");
  if (!category) throw new Error("the command category has to be added first");
  ordering(category, "describe", "have a description written, for tokens; it waits until it is saved")
    .argument("<category>", "its number", idIn)
    .action((id: number, options: OrderOptions) =>
      orderAndPrint(
        terminal,
        options,
        (deps, whose) => orderDescription(deps, deps.kinds.description, whose, id),
        shownText,
      ),
    );
  ordering(category, "reviews", "have sample reviews written, for tokens, if SEO_REVIEWS is on")
    .argument("<category>", "its number", idIn)
    .addOption(
      new Option("--quantity <count>", `how many: ${reviewQuantities.join(", ")}`)
        .argParser(quantityIn)
        .default(3),
    )
    .action((id: number, options: OrderOptions & Pick<ReviewsOrder, "quantity">) =>
      orderAndPrint(
        terminal,
        options,
        (deps, whose) => orderReviews(deps, deps.kinds.reviews, whose, id, options.quantity),
        shownText,
      ),
    );

  const command = parent.command("text").description("descriptions and reviews that wait for a decision");
  forPerson(inWorkspace(printing(command.command("save").description("write it into its category"))))
    .argument("<run>", "its id, or the beginning of it")
    .action(async (typed: string, options: ForPerson) => {
      const saved = await withCore(terminal, options, async (core, workspaceId) => {
        const runId = await wholeId(core.sql, workspaceId, runColumn, typed);
        const deps = { ...seoParts(core), ...workshopOf(core) };
        return saveText(deps, { workspaceId, userId: options.user }, runId);
      });
      print(
        terminal,
        options,
        saved,
        () => `Saved in the category ${saved.category_id} for ${saved.tokens} tokens.`,
      );
    });
  ordering(command, "regenerate", "have it written anew: twice for nothing, then for tokens")
    .argument("<run>", "its id, or the beginning of it")
    .action((typed: string, options: OrderOptions) =>
      orderAndPrint(
        terminal,
        options,
        async (deps, whose) => {
          const runId = await wholeId(deps.sql, whose.workspaceId, runColumn, typed);
          return { ...(await regenerateText(deps, whose, runId)), repeated: false };
        },
        shownText,
      ),
    );
};

function quantityIn(typed: string): number {
  if (reviewQuantities.some((quantity) => String(quantity) === typed)) return Number(typed);
  throw new InvalidArgumentError(`Give one of ${reviewQuantities.join(", ")}.`);
}

function shownText(run: RunDetail): string {
  const short = run.run_id.slice(0, 13);
  const whom = `--user ${run.user_id}`;
  const next =
    run.status === "review"
      ? `${run.tokens} tokens are held. Next: molva seo text save ${short} ${whom}, molva seo text regenerate ${short} ${whom}, or molva seo run cancel ${short}`
      : `It is ${run.status}.`;
  if (run.result === null) return next;
  const isDescription = run.kind === descriptionKind;
  const { warning } = isDescription ? descriptionResult.parse(run.result) : reviewsResult.parse(run.result);
  const text = isDescription
    ? descriptionResult.parse(run.result).text
    : columns(
        ["DATE", "RATING", "AUTHOR", "TEXT"],
        reviewsResult
          .parse(run.result)
          .reviews.map(({ date, rating, author, text: said }) => [date, String(rating), author, said]),
      );
  return [text, ...(warning ? [warning.en] : []), next].join("\n\n");
}
