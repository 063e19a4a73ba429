import { SeoProblem } from "../problems.ts";
import type { Said } from "../said.ts";

export const priceLimits = { rows: 1_000, name: 200, price: 100, description: 300 } as const;

export interface Price {
  readonly name: string;
  readonly price: string;
  readonly description?: string;
}

export const priceFormat: Said = {
  ru: "Формат: Товар — Цена (каждый с новой строки)",
  en: "Give lines such as: Oak table — 12 000 ₽",
};

export const tooManyPrices: Said = {
  ru: "Максимум 1000 товаров. Сократите файл",
  en: "At most 1,000 products: shorten the list",
};

const separator = " — ";

/** Reads a price list, a product on each line; the problem names every line that cannot be read. */
export function readPriceLines(text: string): Price[] {
  const lines = text
    .split(/\r\n|[\n\r]/)
    .map((line, index) => ({ line: line.replaceAll(/\s/g, " ").trim(), number: index + 1 }))
    .filter(({ line }) => line !== "");
  if (lines.length === 0) throw new SeoProblem("value_refused", priceFormat, { pointers: ["/text"] });
  return checkedPrices(lines.map(({ line, number }) => ({ price: priceIn(line), number })));
}

/** A dash with spaces parts name, price and description; the long one, if the line has it. */
function priceIn(line: string): Price | undefined {
  const dash = [separator, " – ", " - "].find((each) => line.includes(each)) ?? separator;
  const [name = "", price = "", ...rest] = line.split(dash).map((part) => part.trim());
  return priceOf(name, price, rest.join(separator));
}

export function priceOf(name: string, price: string, description: string): Price | undefined {
  const isWhole = name !== "" && price !== "";
  const fits =
    name.length <= priceLimits.name &&
    price.length <= priceLimits.price &&
    description.length <= priceLimits.description;
  if (!isWhole || !fits) return undefined;
  return { name, price, ...(description !== "" && { description }) };
}

/** All prices, or a problem with the numbers of the lines that are none. */
export function checkedPrices(read: readonly { price: Price | undefined; number: number }[]): Price[] {
  const [first, ...others] = read.filter(({ price }) => price === undefined).map(({ number }) => number);
  if (first !== undefined) {
    const more = others.length > 0 ? others.slice(0, 9).join(", ") : undefined;
    throw new SeoProblem("value_refused", {
      ru: `Не удалось распознать строку ${first}. Формат: Название — Цена${more ? ` (также строки: ${more})` : ""}`,
      en: `Line ${first} cannot be read. It has to be: Name — Price${more ? ` (lines ${more} as well)` : ""}`,
    });
  }
  if (read.length > priceLimits.rows) throw new SeoProblem("value_refused", tooManyPrices);
  return read.flatMap(({ price }) => price ?? []);
}

/** The list as it is stored: `Name — Price[ — Description]`. */
export function priceText(prices: readonly Price[]): string {
  return prices
    .map(({ name, price, description }) =>
      [name, price, ...(description === undefined ? [] : [description])].map(inCell).join(separator),
    )
    .join("\n");
}

/** A long dash inside a part would part it again. */
function inCell(text: string): string {
  return text.replaceAll(/\s/g, " ").replaceAll(separator, " – ").trim();
}
