import { wholeId } from "../../../http/index.ts";
import type { IdColumn, Sql } from "../../../kernel/db/index.ts";
import { accountIdColumns as columns } from "../../id-columns.ts";

/** Which things the fields of requests name. */
const named: Readonly<Record<string, IdColumn>> = {
  account_id: columns.account,
  object_id: columns.object,
  chat_id: columns.chat,
  chat_ids: columns.chat,
  list_id: columns.list,
  join_id: columns.join,
  publication_id: columns.publication,
  ids: columns.task,
};

/** The same with whole ids in place of their beginnings, however deep they lie. */
export async function wholeIdsIn<T>(sql: Sql, workspaceId: string, given: T): Promise<T>;
export async function wholeIdsIn(sql: Sql, workspaceId: string, given: unknown): Promise<unknown> {
  return within(given, undefined, "");

  async function within(value: unknown, column: IdColumn | undefined, pointer: string): Promise<unknown> {
    if (typeof value === "string") return column ? wholeId(sql, workspaceId, column, value, pointer) : value;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [index, item] of value.entries())
        items.push(await within(item, column, `${pointer}/${index}`));
      return items;
    }
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    const fields: [string, unknown][] = [];
    for (const [name, field] of Object.entries(value))
      fields.push([name, await within(field, named[name], `${pointer}/${name}`)]);
    return Object.fromEntries(fields);
  }
}
