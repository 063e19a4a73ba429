import { refuse } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Post } from "../model.ts";
import type { Call, Reply, Vk } from "../twin.ts";
import { mayRead, seesPlans, type Wall, wallOf } from "../wall-access.ts";
import { wireGroup, wirePost, wireUser } from "../wire.ts";

const filters = ["all", "owner", "others", "postponed", "suggests"];

/** A wall's posts, newest first. */
export function wallGet(vk: Vk, { token, params }: Call): Reply {
  const wall = wallNamed(vk, { token, params });
  if (!mayRead(wall, token)) throw refuse(15, "this wall available only for community members");
  const filter = params.text("filter") ?? "all";
  if (!filters.includes(filter)) throw refuse(100, "filter is invalid");
  const plans = filter === "postponed";
  if ((plans || filter === "suggests") && !seesPlans(wall, token))
    throw refuse(15, "no access to this filter");
  const now = vk.context.clock.now();
  const shown = vk.store
    .wall(wall.ownerId)
    .filter((post) => post.publishAt > now === plans && fits(post, filter))
    .sort((one, other) => other.publishAt - one.publishAt || other.id - one.id);
  const offset = params.count("offset") ?? 0;
  const count = Math.min(params.count("count") ?? 20, limits.wallPage);
  const items = shown.slice(offset, offset + count);
  return {
    response: {
      count: shown.length,
      items: items.map((post) => wirePost(vk, post)),
      ...extended(vk, { token, params }, items),
    },
  };
}

function fits({ fromId, ownerId }: Post, filter: string): boolean {
  if (filter === "owner") return fromId === ownerId;
  if (filter === "others") return fromId !== ownerId;
  return filter !== "suggests";
}

/** A wall may also be given by its owner's short name. */
function wallNamed(vk: Vk, { token, params }: Call): Wall {
  const domain = params.text("domain");
  if (!domain || params.int("owner_id") !== undefined) return wallOf(vk, token, params);
  const group = vk.store.groupNamed(domain);
  if (group) return { ownerId: -group.id, group };
  const user = vk.store.world.users.find(({ screen_name }) => screen_name === domain);
  if (!user) throw refuse(100, "domain is invalid");
  return { ownerId: user.id };
}

/** Posts by id, in the requested order; invisible ones are left out. */
export function wallGetById(vk: Vk, { token, params }: Call): Reply {
  params.needText("posts");
  const now = vk.context.clock.now();
  const found = params
    .list("posts")
    .slice(0, limits.wallPage)
    .flatMap((name) => {
      const [, owner, id] = /^(-?\d{1,15})_(\d{1,15})$/.exec(name) ?? [];
      if (owner === undefined) throw refuse(100, "posts not valid");
      const post = vk.store.post(Number(owner), Number(id));
      const group = vk.store.group(-Number(owner));
      const wall: Wall = { ownerId: Number(owner), ...(group && { group }) };
      const visible =
        post && !post.deleted && mayRead(wall, token) && (post.publishAt <= now || seesPlans(wall, token));
      return visible ? [post] : [];
    });
  return {
    response: { items: found.map((post) => wirePost(vk, post)), ...extended(vk, { token, params }, found) },
  };
}

function extended(vk: Vk, { params, token }: Call, posts: readonly Post[]) {
  if (!params.flag("extended")) return {};
  const ids = new Set(posts.flatMap(({ ownerId, fromId }) => [ownerId, fromId]));
  const { users, groups } = vk.store.world;
  return {
    profiles: users.filter(({ id }) => ids.has(id)).map(wireUser),
    groups: groups.filter(({ id }) => ids.has(-id)).map((group) => wireGroup(vk, group, token)),
  };
}
