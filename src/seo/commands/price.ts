import { byOf, changing, counted, deleting, print, reading, table } from "../../terminal/index.ts";
import { readPrices, setPrices } from "../categories/lists.ts";
import { type Price, readPriceLines } from "../categories/price-lines.ts";
import { readPriceSheet } from "../categories/price-sheet.ts";
import { bytesOf } from "./bytes-of.ts";
import { asPerson, type ForPerson, forPerson, idIn } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

/** `molva seo price list|import|delete`. */
export const addPrices: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("price").description("the price list of a category");
  forPerson(reading(command, "list", "the prices"))
    .argument("<category>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const prices = await asPerson(terminal, options, ({ sql }, whose) => readPrices(sql, whose, id));
      print(terminal, options, { items: prices, next: null }, () => priceTable(prices));
    });
  forPerson(
    changing(command, "import", "replace the list by a file: .xlsx, or lines `Name — Price[ — Description]`"),
  )
    .argument("<category>", "its number", idIn)
    .argument("<file>", "an Excel file or a text file; - reads text from standard input")
    .action(async (id: number, path: string, options: ForPerson) => {
      const bytes = await bytesOf(path);
      const count = await asPerson(terminal, options, async (deps, whose) => {
        const prices =
          isZip(bytes) || /\.xlsx?$/i.test(path)
            ? await readPriceSheet(bytes)
            : readPriceLines(bytes.toString());
        return setPrices(deps, whose, id, prices, byOf(options));
      });
      print(terminal, options, { prices: count }, () => `The list has ${counted(count, "price")} now.`);
    });
  forPerson(deleting(command, "remove the price list"))
    .argument("<category>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const { dryRun = false } = options;
      const count = await asPerson(terminal, options, async (deps, whose) => {
        const prices = await readPrices(deps.sql, whose, id);
        if (!dryRun) await setPrices(deps, whose, id, [], byOf(options));
        return prices.length;
      });
      print(terminal, options, { dry_run: dryRun, deleted: count }, () =>
        dryRun
          ? `Would delete ${counted(count, "price")}; nothing was changed.`
          : `Deleted ${counted(count, "price")}.`,
      );
    });
};

const isZip = (bytes: Buffer) => bytes.subarray(0, 2).toString("latin1") === "PK";

const priceTable = table<Price>("No prices.", {
  name: ({ name }) => name,
  price: ({ price }) => price,
  description: ({ description }) => description ?? "",
});
