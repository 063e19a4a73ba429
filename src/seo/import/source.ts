/** Where the rows of the former SEO Master are read: its database, or a folder of CSV files of a dump. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { connect } from "../../kernel/db/index.ts";
import { type OldRow, type OldTableName, oldTables } from "./old-tables.ts";
import { readCsv } from "./read-csv.ts";

export interface OldSource {
  /** All rows in the order of their ids; undefined if there is no such table. */
  rows(table: OldTableName): Promise<OldRow[] | undefined>;
}

/** The source cannot be read. Its message names the place. */
export class SourceError extends Error {
  override readonly name = "SourceError";
}

const numbered = z.looseObject({ id: z.coerce.number().int().positive() });

/** Runs `work` on one snapshot of the old database, which is only read. */
export async function fromDatabase<T>(url: string, work: (source: OldSource) => Promise<T>): Promise<T> {
  const sql = connect({ url, max: 1, name: "molva seo import" });
  try {
    const answer: { value?: T } = {};
    await sql.begin("isolation level repeatable read read only", async (tx) => {
      const source: OldSource = {
        async rows(table) {
          const [{ there }] = await tx<
            [{ there: boolean }]
          >`select to_regclass(${`public.${table}`}) is not null as there`;
          if (!there) return undefined;
          // A hash has 64 bits, more than a number of JavaScript.
          const exact =
            table === "publication_logs" ? "|| jsonb_build_object('content_hash', t.content_hash::text)" : "";
          const rows = await tx.unsafe<{ row: unknown }[]>(
            `select to_jsonb(t) ${exact} as row from public.${table} t order by t.id`,
          );
          return rows.map(({ row }) => numbered.parse(row));
        },
      };
      answer.value = await work(source);
    });
    return answer.value as T;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Files are named after their tables: `users.csv`, …; the first row names the columns. */
export function fromFolder(folder: string): OldSource {
  return {
    async rows(table) {
      const path = join(folder, `${table}.csv`);
      const text = await readFile(path, "utf8").catch((error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      try {
        const rows = readCsv(text).map((row) => numbered.parse(withJson(table, row)));
        return rows.toSorted((one, other) => one.id - other.id);
      } catch (error) {
        const said = error instanceof z.ZodError ? "a row has no number in the column id" : String(error);
        throw new SourceError(`${path} cannot be read: ${said}`);
      }
    },
  };
}

/** In CSV a column of JSON is a text like the others. */
function withJson(table: OldTableName, row: Readonly<Record<string, string | null>>) {
  const { json = [] } = oldTables[table];
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value !== null && json.includes(name) ? JSON.parse(value) : value,
    ]),
  );
}
