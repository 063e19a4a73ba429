/** A price list as an Excel file, which can be changed and uploaded again. */
import type { Price } from "./price-lines.ts";

const headings = {
  ru: ["Название", "Цена", "Описание"],
  en: ["Name", "Price", "Description"],
} as const;
const widths = [40, 16, 60] as const;

/** Prices stay texts: `от 1 200 ₽` is none that Excel could count. */
export async function priceWorkbook(
  prices: readonly Price[],
  language: keyof typeof headings,
): Promise<Uint8Array> {
  const cell = (value: string) => ({ value, type: String });
  const rows = [
    headings[language].map((value) => ({ ...cell(value), fontWeight: "bold" as const })),
    ...prices.map(({ name, price, description = "" }) => [name, price, description].map(cell)),
  ];
  // Loaded by those who need it: commands start without it.
  const { default: writeExcelFile } = await import("write-excel-file/universal");
  const blob = await writeExcelFile(rows, { columns: widths.map((width) => ({ width })) }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}
