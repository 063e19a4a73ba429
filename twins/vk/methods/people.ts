import { refuse } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Call, Reply, Vk } from "../twin.ts";
import { wireUser } from "../wire.ts";

/** Without names, the token's holder. */
export function usersGet({ store }: Vk, { token, params }: Call): Reply {
  const names = params.list("user_ids");
  if (names.length > limits.usersPage) throw refuse(100, "user_ids: too many");
  if (names.length === 0 && token.userId !== undefined) names.push(String(token.userId));
  const found = names.flatMap((name) => {
    const user = store.world.users.find(({ id, screen_name }) => String(id) === name || screen_name === name);
    return user ? [wireUser(user)] : [];
  });
  if (names.length > 0 && found.length === 0) throw refuse(113);
  return { response: found };
}

/** What a short name refers to; an empty list if nothing. */
export function resolveScreenName({ store }: Vk, { params }: Call): Reply {
  const name = params.needText("screen_name").toLowerCase();
  const numbered = /^(?:club|public|event)(\d{1,15})$/.exec(name)?.[1];
  const group = store.world.groups.find(
    ({ id, screen_name }) => screen_name.toLowerCase() === name || String(id) === numbered,
  );
  if (group) return { response: { type: group.type === "page" ? "page" : "group", object_id: group.id } };
  const person = /^id(\d{1,15})$/.exec(name)?.[1];
  const user = store.world.users.find(
    ({ id, screen_name }) => screen_name.toLowerCase() === name || String(id) === person,
  );
  return { response: user ? { type: "user", object_id: user.id } : [] };
}
