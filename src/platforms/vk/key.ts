import { z } from "zod";
import { ifReadable, readableItems } from "../if-readable.ts";
import { type CallContext, type Connection, call, type Reply } from "./client.ts";
import { type Group, groupNamed } from "./wall.ts";

/** Whose key it is: a community's, which may post on its own wall, or a person's. */
export type Key =
  | { readonly kind: "community"; readonly group: Group; readonly rights: ReadonlySet<string> }
  | { readonly kind: "person"; readonly name: string };

const permissionsShape = z
  .object({ permissions: readableItems(z.object({ name: z.string() })) })
  .transform(({ permissions }) => new Set(permissions.map(({ name }) => name)));

const personShape = z
  .array(z.object({ id: z.int(), first_name: ifReadable(z.string()), last_name: ifReadable(z.string()) }))
  .min(1);

/** Errors about the key itself; any other one means that it is not a community's key. */
const ofKey: ReadonlySet<string> = new Set(["unauthorized", "key_of_wrong_kind"]);

export async function keyOf(connection: Connection<CallContext>): Promise<Reply<Key>> {
  const permissions = await call("groups.getTokenPermissions", {}, permissionsShape, connection);
  if (permissions.kind === "ok") {
    const group = await groupNamed(undefined, connection);
    return group.kind === "ok"
      ? { kind: "ok", result: { kind: "community", group: group.result, rights: permissions.result } }
      : group;
  }
  if (permissions.error.category === "TRANSIENT" || ofKey.has(permissions.error.code)) return permissions;
  const person = await call("users.get", {}, personShape, connection);
  if (person.kind !== "ok") return person;
  const [{ id, first_name, last_name } = { id: 0 }] = person.result;
  const name = [first_name, last_name].filter(Boolean).join(" ") || `id${id}`;
  return { kind: "ok", result: { kind: "person", name } };
}
