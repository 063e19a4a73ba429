import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, InputError, readInput } from "../shared/index.ts";
import { permissionBits } from "./methods/groups.ts";
import type { Group, Token, User } from "./model.ts";
import type { Vk } from "./twin.ts";
import { chatViews, messageView } from "./views.ts";

const id = z.int().min(1).max(2_000_000_000);
const shortName = z.string().regex(/^[A-Za-z][\w.]{2,31}$/, "a short name of letters, digits, points and _");
const role = z.enum(["moderator", "editor", "administrator"]);

const userBody = z.strictObject({
  id: id.optional(),
  first_name: z.string().min(1).default("Анна"),
  last_name: z.string().min(1).default("Смирнова"),
  screen_name: shortName.optional(),
});
const userPatch = z.strictObject({ state: z.enum(["active", "deleted", "banned"]) });

const groupFields = {
  name: z.string().min(1).max(48),
  screen_name: shortName,
  type: z.enum(["page", "group", "event"]),
  is_closed: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  wall: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  description: z.string(),
  members_count: z.int().min(0),
  links_forbidden: z.boolean(),
  managers: z.array(z.strictObject({ user_id: id, role })),
  members: z.array(id),
};
const groupPatch = z.strictObject(groupFields).partial();
const groupBody = groupPatch.extend({ id: id.optional(), name: groupFields.name });

const tokenBody = z
  .strictObject({
    token: z.string().min(8).max(500).optional(),
    kind: z.enum(["community", "user", "vkid"]),
    group_id: id.optional(),
    user_id: id.optional(),
    scopes: z.array(z.string()).optional(),
    expires_in: z.int().min(1).optional(),
  })
  .refine((body) => (body.kind === "community") === (body.group_id !== undefined), {
    path: ["group_id"],
    message: "a community's key, and no other, needs the community",
  })
  .refine((body) => (body.kind === "community") !== (body.user_id !== undefined), {
    path: ["user_id"],
    message: "a person's key, and no other, needs the person",
  });
const tokenPatch = z.strictObject({
  revoked: z.boolean().optional(),
  expires_in: z.int().optional(),
  scopes: z.array(z.string()).optional(),
  captchas: z.int().min(0).max(100).optional(),
});

const appBody = z.strictObject({
  client_id: z.string().min(1),
  name: z.string().min(1).default("Molva"),
  client_secret: z.string().default(""),
  redirect_uris: z.array(z.url()).min(1),
});

const optionsBody = z.strictObject({
  guid_repeat: z.enum(["first", "second", "refused"]).optional(),
  guid_seconds: z.int().min(0).optional(),
  community_wall: z.boolean().optional(),
  message_photos: z.boolean().optional(),
  posts_per_day: z.int().min(0).optional(),
  postponed_posts: z.int().min(0).optional(),
  edit_hours: z.number().min(0).optional(),
});

const namePath = z.object({ name: z.string() });
const postsQuery = z.object({ limit: z.coerce.number().int().min(1).max(500).default(50) });
const userScopes = ["wall", "photos", "groups", "offline"];

/** Actions of people, VK's moderation and tests, below `/_control/vk`. */
export async function controlRoutes(app: FastifyInstance, vk: Vk): Promise<void> {
  const { store, context } = vk;
  const { world } = store;
  const base = "/_control/vk";

  app.get(`${base}/users`, async () => ({ users: world.users }));
  app.post(`${base}/users`, async (request) => {
    const body = readInput(userBody, request.body);
    const known = body.id === undefined ? undefined : store.user(body.id);
    const number = body.id ?? store.newId();
    const named = {
      first_name: body.first_name,
      last_name: body.last_name,
      screen_name: body.screen_name ?? `id${number}`,
    };
    const user: User = known ? Object.assign(known, named) : { id: number, ...named, state: "active" };
    if (!known) world.users.push(user);
    store.changed();
    return user;
  });
  app.patch(`${base}/users/:name`, async (request) => {
    const user = store.user(Number(readInput(namePath, request.params).name));
    if (!user) throw new InputError("there is no such user", 404);
    Object.assign(user, readInput(userPatch, request.body));
    store.changed();
    return user;
  });

  app.get(`${base}/groups`, async () => ({ groups: world.groups.map(shown) }));
  app.post(`${base}/groups`, async (request) => {
    const { id: wanted, ...body } = readInput(groupBody, request.body);
    const known = wanted === undefined ? undefined : store.group(wanted);
    const group = known ?? newGroup(wanted ?? store.newId());
    checkShortName(group, body.screen_name);
    checkManagers(body.managers);
    Object.assign(group, definedOnly(body));
    if (!known) world.groups.push(group);
    return told(group);
  });
  app.patch(`${base}/groups/:name`, async (request) => {
    const group = groupAt(request.params);
    const body = readInput(groupPatch, request.body);
    checkShortName(group, body.screen_name);
    checkManagers(body.managers);
    Object.assign(group, definedOnly(body));
    return told(group);
  });
  /** A wall's posts, oldest first, scheduled ones included. */
  app.get(`${base}/groups/:name/posts`, async (request) => {
    const group = groupAt(request.params);
    const { limit } = readInput(postsQuery, request.query);
    const now = context.clock.now();
    const posts = store.wall(-group.id).slice(-limit);
    return {
      group: shown(group),
      posts: posts.map((post) => ({
        ...messageView(vk, post),
        planned: post.publishAt > now,
        ads: post.ads,
      })),
    };
  });

  app.get(`${base}/tokens`, async () => ({ tokens: world.tokens }));
  app.post(`${base}/tokens`, async (request) => {
    const body = readInput(tokenBody, request.body);
    const text = body.token ?? `${body.kind === "vkid" ? "vk2" : "vk1"}.a.${store.newKey(80)}`;
    if (body.group_id !== undefined && !store.group(body.group_id)) {
      throw new InputError(`group_id: there is no group ${body.group_id}`, 404);
    }
    if (body.user_id !== undefined && !store.user(body.user_id)) {
      throw new InputError(`user_id: there is no user ${body.user_id}`, 404);
    }
    const all =
      body.kind === "community" ? Object.keys(permissionBits) : body.kind === "user" ? userScopes : [];
    const token: Token = {
      token: text,
      kind: body.kind,
      ...(body.group_id !== undefined && { groupId: body.group_id }),
      ...(body.user_id !== undefined && { userId: body.user_id }),
      scopes: body.scopes ?? all,
      ...(body.expires_in !== undefined && { expiresAt: context.clock.now() + body.expires_in * 1000 }),
      revoked: false,
      captchas: 0,
    };
    world.tokens = [...world.tokens.filter((each) => each.token !== text), token];
    store.changed();
    return token;
  });
  app.patch(`${base}/tokens/:name`, async (request) => {
    const { name } = readInput(namePath, request.params);
    const token = store.token(name);
    if (!token) throw new InputError("there is no such token", 404);
    const { expires_in, ...change } = readInput(tokenPatch, request.body);
    Object.assign(token, definedOnly(change));
    if (expires_in !== undefined) token.expiresAt = context.clock.now() + expires_in * 1000;
    store.changed();
    return token;
  });

  app.post(`${base}/apps`, async (request) => {
    const body = readInput(appBody, request.body);
    world.apps = [...world.apps.filter(({ client_id }) => client_id !== body.client_id), body];
    store.changed();
    return body;
  });

  /** The digits in the pictures. */
  app.get(`${base}/captchas`, async () => ({
    captchas: world.captchas.map(({ sid, answer, used }) => ({ sid, answer, used })),
  }));

  app.get(`${base}/options`, async () => world.options);
  app.patch(`${base}/options`, async (request) => {
    Object.assign(world.options, definedOnly(readInput(optionsBody, request.body)));
    store.changed();
    return world.options;
  });

  function told(group: Group) {
    store.changed();
    const chat = chatViews(vk).find((each) => each.id === String(group.id));
    if (chat) context.bus.publish({ type: "chat", provider: "vk", chat });
    return shown(group);
  }

  function shown(group: Group) {
    return { ...group, posts: store.wall(-group.id).length, page: `/vk/wall/${group.screen_name}` };
  }

  function groupAt(params: unknown): Group {
    const { name } = readInput(namePath, params);
    const group = store.groupNamed(name);
    if (!group) throw new InputError(`there is no group ${name}`, 404);
    return group;
  }

  function checkShortName(group: Group, wanted: string | undefined): void {
    const other = wanted === undefined ? undefined : store.groupNamed(wanted);
    if (other && other !== group) throw new InputError(`screen_name: ${wanted} is taken`, 409);
  }

  function checkManagers(managers: Group["managers"] | undefined): void {
    const stranger = managers?.find(({ user_id }) => !store.user(user_id));
    if (stranger) throw new InputError(`managers: there is no user ${stranger.user_id}`, 404);
  }
}

function newGroup(number: number): Group {
  return {
    id: number,
    name: "",
    screen_name: `club${number}`,
    type: "page",
    is_closed: 0,
    wall: 1,
    description: "",
    members_count: 0,
    links_forbidden: false,
    managers: [],
    members: [],
  };
}
