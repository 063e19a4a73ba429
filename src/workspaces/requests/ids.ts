import { z } from "zod";
import { idText, wholeId } from "../../http/index.ts";
import type { IdColumn, Sql } from "../../kernel/db/index.ts";

const columns = z.registry<IdColumn>();

/** An id in a request: whole, or its beginning. Handlers of `workspaceRoutes` get the whole id. */
export function idOf(column: IdColumn) {
  return idText.clone().register(columns, column);
}

/** The workspace, and the place of the value in the request. */
interface Where {
  readonly sql: Sql;
  readonly workspaceId: string;
  readonly pointer: string;
}

type Complete = (value: unknown, where: Where) => Promise<unknown>;

/** Returns a function that completes shortened ids in a value of this schema; undefined if it has no ids. */
export function completingIds(schema: z.core.$ZodType): Complete | undefined {
  const column = columns.get(schema);
  if (column)
    return (id, { sql, workspaceId, pointer }) => wholeId(sql, workspaceId, column, String(id), pointer);
  if (schema instanceof z.ZodOptional) return completingIds(schema.unwrap());
  if (schema instanceof z.ZodArray) {
    const complete = completingIds(schema.element);
    return complete && (async (items, where) => Object.values(await each(items, where, () => complete)));
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, completingIds(field)] as const);
    const complete = new Map(fields.filter(([, ids]) => ids !== undefined));
    return complete.size > 0 ? (value, where) => each(value, where, (name) => complete.get(name)) : undefined;
  }
  return undefined;
}

/** One after another: a request has few ids, and the first wrong one is reported. */
async function each(value: unknown, where: Where, completeOf: (name: string) => Complete | undefined) {
  const whole: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value ?? {})) {
    const pointer = `${where.pointer}/${name}`;
    whole[name] =
      part === undefined ? part : ((await completeOf(name)?.(part, { ...where, pointer })) ?? part);
  }
  return whole;
}
