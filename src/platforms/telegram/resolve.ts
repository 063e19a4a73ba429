import { z } from "zod";
import type { CheckContext, Resolved } from "../contract.ts";
import type { WithToken } from "../token-credential.ts";
import { type Connection, call } from "./client.ts";
import { chatIdOf } from "./target.ts";

const chatShape = z.object({
  id: z.int(),
  title: z.string().nullish(),
  first_name: z.string().nullish(),
});

/** Resolving a name is optional, so its timeout is shorter than that of a send. */
const patienceMs = 5_000;

/** The id of a chat that is known by its `@name`; undefined if the id is known already. */
export async function resolve({
  settings,
  context,
}: Connection<WithToken<CheckContext>>): Promise<Resolved | undefined> {
  const chat_id = chatIdOf(context.channel.targetId);
  if (typeof chat_id === "number") return undefined;
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs ?? patienceMs, patienceMs);
  const connection = { settings: { ...settings, requestTimeoutMs }, context };
  const reply = await call("getChat", { json: { chat_id } }, chatShape, connection);
  if (reply.kind === "ok") {
    const { id, title, first_name } = reply.result;
    const name = title ?? first_name;
    return {
      kind: "found",
      name: chat_id,
      targetId: id > 0 ? `user:${id}` : String(id),
      ...(name && { title: name }),
    };
  }
  return /chat not found/i.test(reply.error.message) ? { kind: "absent" } : { kind: "unavailable" };
}
