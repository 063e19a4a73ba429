/** CSV as PostgreSQL's COPY writes it. By hand, because a null (nothing) and an empty text ("") differ, which libraries do not tell. */

/** The rows of a file, the first of which names the columns. Throws if a quote is left open or a row has another number of fields. */
export function readCsv(text: string): Record<string, string | null>[] {
  const [header, ...rows] = fieldsOf(text.replace(/^\uFEFF/, ""));
  if (!header) return [];
  const names = header.map((name) => name ?? "");
  return rows.map((row, index) => {
    if (row.length !== names.length)
      throw new Error(`row ${index + 2} has ${row.length} fields, the first one ${names.length}`);
    return Object.fromEntries(names.map((name, place) => [name, row[place] ?? null]));
  });
}

function fieldsOf(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  let at = 0;
  while (at < text.length || row.length > 0) {
    const { value, end } = text[at] === '"' ? quotedAt(text, at) : bareAt(text, at);
    row.push(value);
    const stop = text[end];
    if (stop !== undefined && stop !== "," && stop !== "\n" && stop !== "\r") throw strayQuote(end);
    at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
    if (stop === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

interface Field {
  readonly value: string | null;
  /** Where what follows it stands. */
  readonly end: number;
}

/** Everything up to the next comma or line end. */
function bareAt(text: string, from: number): Field {
  let end = from;
  while (end < text.length && !',\n\r"'.includes(text[end] ?? "")) end += 1;
  return { value: end === from ? null : text.slice(from, end), end };
}

/** Up to the closing quote; two quotes stand for one. */
function quotedAt(text: string, from: number): Field {
  let close = text.indexOf('"', from + 1);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close === -1) throw strayQuote(from);
  return { value: text.slice(from + 1, close).replaceAll('""', '"'), end: close + 1 };
}

const strayQuote = (at: number) =>
  new Error(`the text at character ${at + 1} has a quote that does not belong there`);
