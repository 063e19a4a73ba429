import { z } from "zod";
import { InputError, readInput } from "../../shared/index.ts";
import type { Bot, Chat, User } from "../model.ts";
import type { Max } from "../twin.ts";

export const userBody = z.strictObject({
  user_id: z.int().optional(),
  first_name: z.string().min(1).optional(),
  last_name: z.string().optional(),
  username: z.string().nullish(),
});

export type UserBody = z.infer<typeof userBody>;

/** An id as it is written in JSON or in a path. */
export const idBody = z.coerce.number().int();

/** Bots are named by token, by username or by id. */
export const botRef = z.union([z.string().min(1), z.number().transform(String)]);

export function botNamed({ store }: Max, ref: string): Bot {
  const bot = store.world.bots.find(
    ({ token, user }) => token === ref || user.username === ref || String(user.user_id) === ref,
  );
  if (!bot) throw new InputError(`bot: there is no bot ${ref}`, 404);
  return bot;
}

export function chatNamed({ store }: Max, params: unknown): Chat {
  const { id } = readInput(z.object({ id: idBody }), params);
  const chat = store.chat(id);
  if (!chat) throw new InputError(`id: there is no chat ${id}`, 404);
  return chat;
}

/** The person with this id, renamed if requested, or a new one. */
export function person({ store, context }: Max, body: UserBody): User {
  const everyone = store.world.chats.flatMap((chat) => [...(chat.user ? [chat.user] : []), ...chat.people]);
  const known = everyone.find(({ user_id }) => user_id === body.user_id);
  const user: User = known ?? {
    user_id: body.user_id ?? store.newId(),
    first_name: "Гость",
    username: null,
    is_bot: false,
    last_activity_time: context.clock.now(),
  };
  if (body.first_name !== undefined) user.first_name = body.first_name;
  if (body.last_name !== undefined) user.last_name = body.last_name;
  if (body.username !== undefined) user.username = body.username;
  return user;
}

export function join(chat: Chat, user: User): void {
  if (!chat.people.some(({ user_id }) => user_id === user.user_id)) chat.people.push(user);
}
