/** Wraps a source's query so that it returns one page of rows in order. */

/** The numbers n of the parameters `$n` in a query. */
export function parametersOf(query: string): number[] {
  const places = [...query.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place));
  return [...new Set(places)].sort((one, other) => one - other);
}

/**
 * `newest` is for the first reading, `after` for rows after the last one taken, `late` for rows that were committed after it
 * although their time is earlier.
 */
export type Page = "newest" | "after" | "late";

export interface PageOfQuery {
  readonly query: string;
  readonly timeColumn: string;
  readonly idColumn: string;
  readonly rows: number;
}

/**
 * The query becomes a subquery: order and limits are ours, whatever it does with `$1` and `$2` itself. Time and id are passed
 * as text, because the driver's dates have only milliseconds, and a watermark without its microseconds would find the same row
 * again. For late rows `$1` is some time before the last row's own time, which is `$3`; `$4` is when the source began, and
 * older rows were never to be posted.
 */
export function pageOf(page: Page, { query, timeColumn, idColumn, rows }: PageOfQuery): string {
  const time = `item."${timeColumn}"`;
  const id = `item."${idColumn}"`;
  const from = "$1::text::timestamptz";
  const conditions = [
    `${time} is not null and ${id} is not null`,
    `(${from} is null or (${time}, ${id}) > (${from}, $2))`,
    ...(page === "late"
      ? [
          `(${time}, ${id}) <= ($3::text::timestamptz, $2)`,
          `($4::text::timestamptz is null or ${time} > $4::text::timestamptz)`,
        ]
      : []),
  ];
  const direction = page === "after" ? "asc" : "desc";
  return `select to_jsonb(item) as item, ${time}::text as time, ${id}::text as id
    from (
${query
  .trim()
  .replace(/;\s*$/, "")
  .replace(/\$1(?!\d)/g, `(${from})`)}
    ) as item
    where ${conditions.join(" and ")}
    order by ${time} ${direction}, ${id} ${direction}
    limit ${rows}`;
}
