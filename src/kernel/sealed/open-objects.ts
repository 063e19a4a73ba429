import { buffer } from "node:stream/consumers";
import { afterKey, isKey, keyTexts, tableExists } from "./key-sql.ts";
import type { OpenStore, SealedDeps, SealedRow } from "./open-store.ts";
import type { SealedObjects } from "./sealed-store.ts";

/** Few, because their contents are in memory together. */
const filesPerPart = 10;
/** A file that expires sooner is left alone: its removal could cross with ours and leave a file that no row lists. */
const leastLifeMs = 5 * 60_000;

interface Row {
  readonly key: string[];
  readonly file: string;
}

/** A file has no compare-and-set. Its row is locked instead, so that nobody lets it expire before the new one is in place. */
export function openObjects(store: SealedObjects, { sql, storage, clock }: SealedDeps): OpenStore {
  const { table, key, storageKey, expiresAt } = store;
  const time = `$${key.length + 1}`;
  const soon = () => new Date(clock.now().getTime() + leastLifeMs);

  async function contentOf(file: string): Promise<string | undefined> {
    const object = await storage.get(file);
    return object && (await buffer(object.body)).toString("latin1");
  }

  /** Nothing if the file is still on its way into the storage, or already out of it. */
  async function read({ key, file }: Row): Promise<SealedRow | undefined> {
    const token = await contentOf(file);
    return token === undefined
      ? undefined
      : { id: key.join("/"), key: [...key, file], token, place: store.place(file) };
  }

  return {
    async *parts() {
      if (!(await tableExists(sql, table))) return;
      let last: readonly string[] | undefined;
      do {
        const rows: Row[] = await sql.unsafe<Row[]>(
          `select ${keyTexts(key)} as key, ${storageKey} as file from ${table}
           where ${afterKey(key, last)} and ${expiresAt} > $${(last?.length ?? 0) + 1}::timestamptz
           order by ${key.join(", ")} limit ${filesPerPart}`,
          [...(last ?? []), soon()],
        );
        const files = await Promise.all(rows.map(read));
        yield files.filter((file) => file !== undefined);
        last = rows.length === filesPerPart ? rows.at(-1)?.key : undefined;
      } while (last);
    },

    async again(row) {
      const [found] = await sql.unsafe<Row[]>(
        `select ${keyTexts(key)} as key, ${storageKey} as file from ${table}
         where ${isKey(key)} and ${expiresAt} > ${time}::timestamptz`,
        [...row.key.slice(0, -1), soon()],
      );
      return found && read(found);
    },

    replace: (row, fresh) =>
      sql.begin(async (tx) => {
        const file = row.key.at(-1) ?? "";
        const [listed] = await tx.unsafe(
          `select from ${table} where ${isKey(key)} and ${expiresAt} > ${time}::timestamptz for update`,
          [...row.key.slice(0, -1), soon()],
        );
        if (!listed || (await contentOf(file)) !== row.token) return false;
        const contentType = "application/octet-stream";
        await storage.put(file, Buffer.from(fresh, "latin1"), { contentType });
        return true;
      }),
  };
}
