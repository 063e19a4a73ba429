/** Price lists from Excel. Nothing that an attacker packs may take more memory than a price list does. */
import { strToU8, unzipSync, zipSync } from "fflate";
import { SeoProblem } from "../problems.ts";
import type { Said } from "../said.ts";
import { checkedPrices, type Price, priceLimits, priceOf, tooManyPrices } from "./price-lines.ts";

export const priceSheetLimits = {
  bytes: 5 * 1024 * 1024,
  /** Of all parts together, unpacked. */
  unpackedBytes: 40 * 1024 * 1024,
  parts: 200,
  /** Rows and columns that a cell may stand in: the reader fills the space before it. Two letters of columns. */
  row: 5_000,
} as const;

export const priceSheetFault: Said = {
  ru: "Загрузите Excel (.xlsx), макс. 1000 строк, 5 МБ",
  en: "Give an Excel file (.xlsx) with at most 1,000 rows and 5 MB",
};

/** Reads columns A (name), B (price) and C (description) of the first sheet. */
export async function readPriceSheet(bytes: Uint8Array): Promise<Price[]> {
  const rows = await rowsOf(bytes);
  const numbered = rows
    .map(([name, price, description], index) => ({
      ...{ name: text(name), price: text(price), description: text(description) },
      number: index + 1,
    }))
    .filter(({ name, price, description }) => name !== "" || price !== "" || description !== "");
  const [first, ...rest] = numbered;
  if (!first) throw refused();
  const products = isHeading(first) ? rest : numbered;
  if (products.length === 0) throw refused();
  if (products.length > priceLimits.rows) throw new SeoProblem("file_refused", tooManyPrices);
  return checkedPrices(
    products.map(({ name, price, description, number }) => ({
      number,
      price: priceOf(name, price, description),
    })),
  );
}

async function rowsOf(bytes: Uint8Array): Promise<readonly (readonly unknown[])[]> {
  if (bytes.length > priceSheetLimits.bytes) throw new SeoProblem("file_refused", tooManyPrices);
  const parts = unpacked(bytes);
  requireSmallSheets(parts);
  // Loaded by those who need it: commands start without it.
  const { readSheet } = await import("read-excel-file/universal");
  try {
    // Packed anew without compression: the reader sees only what was counted above.
    const { buffer } = zipSync(parts, { level: 0 });
    return await readSheet(buffer instanceof ArrayBuffer ? buffer : new ArrayBuffer(0));
  } catch {
    throw refused();
  }
}

/** The parts that a sheet is made of. A part is never unpacked beyond the size that its directory entry claims. */
function unpacked(bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0;
  let count = 0;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!/\.(?:xml|rels)$/.test(name)) return false;
        total += originalSize;
        count += 1;
        if (total > priceSheetLimits.unpackedBytes || count > priceSheetLimits.parts) throw refused();
        return true;
      },
    });
  } catch {
    throw refused();
  }
}

/** Refuses cells far away from the first one, in any spelling that a reader might understand. */
function requireSmallSheets(parts: Readonly<Record<string, Uint8Array>>): void {
  const marker = strToU8("sheetData");
  for (const part of Object.values(parts)) {
    if (Buffer.from(part.buffer, part.byteOffset, part.byteLength).indexOf(marker) < 0) continue;
    for (const [, place = ""] of new TextDecoder().decode(part).matchAll(/\sr\s*=\s*["']([^"']*)["']/g)) {
      const [, row] = /^[A-Z]{0,2}(\d{1,7})$/.exec(place) ?? [];
      if (row === undefined || Number(row) > priceSheetLimits.row)
        throw new SeoProblem("file_refused", tooManyPrices);
    }
  }
}

const refused = () => new SeoProblem("file_refused", priceSheetFault);

/** A first row without a figure in its price is taken for headings. */
function isHeading({ name, price }: { name: string; price: string }): boolean {
  return !/\d/.test(price) && /назван|товар|услуг|наимен|name|product|item/i.test(name);
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  const plain = value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
  return plain.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
}
