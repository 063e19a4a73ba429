import { z } from "zod";
import { ifReadable, readableItems } from "../if-readable.ts";
import { codeIn } from "./classify.ts";
import { call, type Line, type Reply } from "./client.ts";

const termShape = z.object({ id: z.int(), name: ifReadable(z.string()) });
const existsShape = z.object({ data: z.object({ term_id: z.coerce.number().int() }) });

export interface Terms {
  readonly ids: readonly number[];
  /** Some do not exist, and the account may not create them. */
  readonly missing: boolean;
}

/** The ids of categories or tags by name; creates those that the site does not have. */
export async function termIds(
  kind: "categories" | "tags",
  names: readonly string[],
  line: Line,
): Promise<Terms | Exclude<Reply<never>, { kind: "ok" }>> {
  const ids: number[] = [];
  let missing = false;
  for (const name of names) {
    const id = await termId(kind, name, line);
    if (typeof id === "object") return id;
    if (id === undefined) missing = true;
    else ids.push(id);
  }
  return { ids: [...new Set(ids)], missing };
}

/** Undefined if there is none and the account may not create one. */
async function termId(
  kind: "categories" | "tags",
  name: string,
  line: Line,
): Promise<number | undefined | Exclude<Reply<never>, { kind: "ok" }>> {
  const route = `/wp/v2/${kind}`;
  const query = { search: searchable(name), per_page: 100, hide_empty: "false", _fields: "id,name" };
  const listed = await call({ method: "GET", route, query }, readableItems(termShape), line);
  if (listed.kind !== "ok") return listed;
  const known = listed.result.find((term) => sameName(term.name ?? "", name));
  if (known) return known.id;
  const made = await call({ method: "POST", route, json: { name } }, termShape, line);
  if (made.kind === "ok") return made.result.id;
  // A search does not find every existing name.
  const exists =
    codeIn(made.error) === "term_exists" && existsShape.safeParse({ data: dataOf(made.error.raw) }).data;
  if (exists) return exists.data.term_id;
  return codeIn(made.error) === "rest_cannot_create" ? undefined : made;
}

/** Names are stored escaped, and a search for an escaped character finds nothing. */
const searchable = (name: string): string =>
  name
    .split(/[&<>"'’]/)
    .map((part) => part.trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), "");

const dataOf = (raw: unknown): unknown => z.object({ data: z.unknown() }).safeParse(raw).data?.data;

const sameName = (one: string, other: string): boolean => spoken(one) === spoken(other);

/** WordPress stores names escaped. */
function spoken(name: string): string {
  return name
    .replace(/&(?:#0*39|#8217|apos);/g, "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replace(/&(?:amp|#0*38);/g, "&")
    .normalize("NFC")
    .trim()
    .toLowerCase();
}
