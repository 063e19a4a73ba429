import { refuse } from "../errors.ts";
import { limits } from "../limits.ts";
import { type Group, levelOf } from "../model.ts";
import type { Call, Reply, Vk } from "../twin.ts";
import { wireGroup } from "../wire.ts";

/** The rights of a community's key, with VK's bit for each. */
export const permissionBits: Readonly<Record<string, number>> = {
  stories: 1,
  photos: 4,
  app_widget: 64,
  messages: 4096,
  wall: 8192,
  docs: 131_072,
  manage: 262_144,
};

const levels: Readonly<Record<string, number>> = { moder: 1, editor: 2, admin: 3 };
const kinds: readonly string[] = ["groups", "publics", "events", "hasAddress", "advertiser"];

export function groupsGet(vk: Vk, { token, params }: Call): Reply {
  const userId = params.count("user_id") ?? token.userId;
  if (userId === undefined || !vk.store.user(userId)) throw refuse(113);
  const filters = params.list("filter");
  for (const filter of filters) {
    if (!(filter in levels) && !kinds.includes(filter)) throw refuse(100, "filter is invalid");
  }
  // Nobody can see which communities another person manages.
  if (userId !== token.userId && filters.some((filter) => filter in levels)) throw refuse(7);
  const least = Math.min(...filters.flatMap((filter) => levels[filter] ?? []));
  const fits = (group: Group) => {
    const level = levelOf(group, userId);
    if (Number.isFinite(least)) return level >= least;
    return level > 0 || group.members.includes(userId);
  };
  const found = vk.store.world.groups.filter(fits);
  const offset = params.count("offset") ?? 0;
  const items = found.slice(
    offset,
    offset + Math.min(params.count("count") ?? limits.groupsPage, limits.groupsPage),
  );
  const full = params.flag("extended");
  const fields = params.list("fields");
  return {
    response: {
      count: found.length,
      items: full
        ? items.map((group) => ({ ...wireGroup(vk, group, token), ...more(group, fields) }))
        : items.map(({ id }) => id),
    },
  };
}

/** By number or short name; without a name, the community of the key itself. */
export function groupsGetById(vk: Vk, { token, params }: Call): Reply {
  const named = [...params.list("group_ids"), ...params.list("group_id")];
  if (named.length === 0 && token.groupId !== undefined) named.push(String(token.groupId));
  if (named.length === 0) throw refuse(100, "group_ids is undefined");
  const fields = params.list("fields");
  const groups = named.flatMap((name) => {
    const group = vk.store.groupNamed(name.replace(/^(?:club|public)(?=\d)/, ""));
    return group ? [{ ...wireGroup(vk, group, token), ...more(group, fields) }] : [];
  });
  if (groups.length === 0) throw refuse(100, "group_id is invalid");
  return { response: { groups, profiles: [] } };
}

function more(group: Group, fields: readonly string[]) {
  const { description, members_count, wall } = group;
  const all: Record<string, unknown> = { description, members_count, wall, can_post: wall === 1 ? 1 : 0 };
  return Object.fromEntries(Object.entries(all).filter(([name]) => fields.includes(name)));
}

export function getTokenPermissions(_vk: Vk, { token }: Call): Reply {
  const permissions = token.scopes.flatMap((name) => {
    const setting = permissionBits[name];
    return setting === undefined ? [] : [{ name, setting }];
  });
  return { response: { mask: permissions.reduce((sum, { setting }) => sum | setting, 0), permissions } };
}
