import { InvalidArgumentError, Option } from "commander";
import { print, reading, wholeId, withCore } from "../../terminal/index.ts";
import { seoParts, workshopOf } from "../parts.ts";
import { type DrawnImages, orderImages, readImages } from "../pictures/order-images.ts";
import { runColumn } from "../runs/read-runs.ts";
import { imagesAtMost } from "../settings/options.ts";
import { followRun, orderedText } from "./follow-run.ts";
import { type ForPerson, forPerson, idIn } from "./for-person.ts";
import { type OrderOptions, ordering } from "./ordering.ts";
import type { AddSeoCommand } from "./seo.ts";

/** `molva seo image draw|show`. */
export const addImages: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("image").description("pictures of a category, without a text");
  ordering(command, "draw", "draw pictures by the category's settings, for tokens")
    .argument("<category>", "its number", idIn)
    .addOption(new Option("--count <n>", `how many: 1 to ${imagesAtMost}`).argParser(countIn).default(1))
    .action(async (id: number, options: OrderOptions & { readonly count: number }) => {
      const { count, wait = false, user: userId } = options;
      const [ordered, drawn] = await withCore(terminal, options, async (core, workspaceId) => {
        const whose = { workspaceId, userId };
        const { kinds, runs } = workshopOf(core);
        const made = await orderImages({ ...seoParts(core), runs }, kinds.images, whose, id, { count });
        if (!wait) return [made, undefined] as const;
        await followRun(terminal, core.sql, workspaceId, made);
        return [made, await readImages(core, whose, made.run_id)] as const;
      });
      if (!drawn) return print(terminal, options, ordered, () => orderedText(ordered));
      print(terminal, options, drawn, () => drawnText(drawn));
    });
  forPerson(reading(command, "show", "the pictures of a run, at addresses that live for a week"))
    .argument("<run>", "its id, or its beginning")
    .action(async (given: string, options: ForPerson) => {
      const drawn = await withCore(terminal, options, async (core, workspaceId) => {
        const runId = await wholeId(core.sql, workspaceId, runColumn, given);
        return readImages(core, { workspaceId, userId: options.user }, runId);
      });
      print(terminal, options, drawn, () => drawnText(drawn));
    });
};

function countIn(typed: string): number {
  const count = Number(typed);
  if (Number.isInteger(count) && count >= 1 && count <= imagesAtMost) return count;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${imagesAtMost}.`);
}

const drawnText = ({ status, pictures, message, tokens }: DrawnImages) =>
  [
    ...pictures.map(({ url, width, height }) => `${width} × ${height}  ${url}`),
    ...(message === null ? [] : [message]),
    `${status}, ${tokens} tokens`,
  ].join("\n");
