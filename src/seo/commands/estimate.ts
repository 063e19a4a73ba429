import { Option } from "commander";
import { facts, print, viewing, withCore } from "../../terminal/index.ts";
import { type Estimate, estimateWork } from "../estimates/estimate.ts";
import { seoParts, workshopOf } from "../parts.ts";
import { type PlatformType, platformTypes } from "../settings/shape.ts";
import { type ForPerson, forPerson, idIn } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

interface Options extends ForPerson {
  readonly platform: PlatformType;
}

/** `molva seo estimate <category>`. */
export const addEstimate: AddSeoCommand = (parent, terminal) => {
  forPerson(
    viewing(
      parent
        .command("estimate")
        .description("what an article or a post would cost, and what is missing, before anything is spent"),
    ),
  )
    .argument("<category>", "its number", idIn)
    .addOption(
      new Option("--platform <name>", "wordpress for an article; telegram, vk or pinterest for a post")
        .choices(platformTypes)
        .default("wordpress"),
    )
    .action(async (id: number, options: Options) => {
      const estimate = await withCore(terminal, options, (core, workspaceId) =>
        estimateWork(
          { ...seoParts(core), ...workshopOf(core) },
          { workspaceId, userId: options.user },
          id,
          options.platform,
        ),
      );
      print(terminal, options, estimate, () => estimateText(estimate));
    });
};

function estimateText(estimate: Estimate): string {
  const { work, words, images, tokens, usd, minutes, missing } = estimate;
  const figures = facts([
    ["work", work === "article" ? "an article" : "a post"],
    ["words", `${words.from}–${words.to}`],
    ["pictures", String(images)],
    [
      "tokens",
      `about ${tokens.about} (${tokens.from}–${tokens.to})${estimate.is_free ? ", free for an administrator" : ""}`,
    ],
    ["balance", String(estimate.balance)],
    ["providers", `$${usd.from.toFixed(3)}–${usd.to.toFixed(3)}, an estimate`],
    ["time", `${minutes.from}–${minutes.to} minutes`],
  ]);
  const lines = missing.map(({ prevents, message }) => `  ${prevents ? "!" : "-"} ${message.en}`);
  const end = estimate.can_begin ? "It can begin." : "It cannot begin: see the lines with !.";
  return [figures, "", ...(lines.length > 0 ? ["Missing", ...lines, ""] : []), end].join("\n");
}
