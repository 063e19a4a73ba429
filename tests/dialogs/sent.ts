/** What a person sends that is not words: photos, voices, files, tables. */
import { priceWorkbook } from "../../src/seo/categories/price-export.ts";
import { ScriptError } from "./script.ts";

const tinyPhoto =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/**
 * `фото`, `голосовое`, `файл phrases.txt: чай, улун` (a comma ends a line), `файл phrases.txt не в UTF-8`,
 * `таблица prices.xlsx: Улун — 490 руб., Пуэр — 1900 руб.`, `таблица prices.xlsx на 1001 строку`.
 */
export async function mediaOf(what: string): Promise<Record<string, unknown>> {
  if (what === "фото") return { photo: tinyPhoto };
  if (what === "голосовое") return { file: { kind: "voice", data: "data:audio/ogg;base64,T2dnUw==" } };
  const [, foreign] = /^файл (\S+) не в UTF-8$/.exec(what) ?? [];
  if (foreign !== undefined) return document(foreign, Uint8Array.of(0xcf, 0xf0, 0xe8));
  const [, table, rows] = /^таблица (\S+) на (\d+) строк[аиу]?$/.exec(what) ?? [];
  if (table !== undefined)
    return document(
      table,
      await workbook(Array.from({ length: Number(rows) }, (_, at) => `Чай ${at} — 100`)),
    );
  const [, sheet, prices] = /^таблица (\S+): (.*)$/.exec(what) ?? [];
  if (sheet !== undefined && prices !== undefined) return document(sheet, await workbook(prices.split(", ")));
  const [, name, content] = /^файл (\S+): (.*)$/.exec(what) ?? [];
  if (name === undefined || content === undefined) throw new ScriptError(`nobody knows how to send: ${what}`);
  return document(name, Buffer.from(repeated(content).replaceAll(", ", "\n")));
}

/** `{чай × 1001}` stands for so many of it. */
export function repeated(text: string): string {
  return text.replace(/\{(.+?) × (\d+)\}/gu, (_, part: string, times: string) => part.repeat(Number(times)));
}

function document(name: string, bytes: Uint8Array) {
  const data = `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`;
  return { file: { kind: "document", name, data } };
}

function workbook(lines: readonly string[]): Promise<Uint8Array> {
  const prices = lines.map((line) => {
    const [name = "", price = "", description] = line.split(" — ");
    return { name, price, ...(description !== undefined && { description }) };
  });
  return priceWorkbook(prices, "ru");
}
