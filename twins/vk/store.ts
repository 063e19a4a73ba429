import { randomBytes } from "node:crypto";
import type { TwinContext } from "../shared/index.ts";
import type { Group, Photo, Post, Token, User, World } from "./model.ts";

/** The twin's state, with the look-ups that calls need. */
export interface Store {
  readonly world: World;
  changed(): void;
  newId(): number;
  /** A random key. */
  newKey(length: number): string;
  user(id: number): User | undefined;
  group(id: number): Group | undefined;
  /** By number or short name. */
  groupNamed(name: string): Group | undefined;
  token(text: string): Token | undefined;
  photo(ownerId: number, id: number): Photo | undefined;
  post(ownerId: number, id: number): Post | undefined;
  /** Everything on a wall that is not deleted, scheduled posts included, oldest first. */
  wall(ownerId: number): Post[];
  reset(): void;
}

const name = "vk";

export function createStore({ state }: Pick<TwinContext, "state">): Store {
  const world = state.load<World>(name) ?? emptyWorld();
  const changed = () => state.changed(name, () => world);
  return {
    world,
    changed,
    newId() {
      world.lastId += 1;
      return world.lastId;
    },
    newKey: (length) =>
      randomBytes(Math.ceil(length / 2))
        .toString("hex")
        .slice(0, length),
    user: (id) => world.users.find((user) => user.id === id),
    group: (id) => world.groups.find((group) => group.id === id),
    groupNamed: (wanted) =>
      world.groups.find(
        ({ id, screen_name }) => String(id) === wanted || screen_name.toLowerCase() === wanted.toLowerCase(),
      ),
    token: (text) => world.tokens.find(({ token }) => token === text),
    photo: (ownerId, id) => world.photos.find((photo) => photo.ownerId === ownerId && photo.id === id),
    post: (ownerId, id) => world.posts.find((post) => post.ownerId === ownerId && post.id === id),
    wall: (ownerId) => world.posts.filter((post) => post.ownerId === ownerId && !post.deleted),
    reset() {
      Object.assign(world, emptyWorld());
      changed();
    },
  };
}

function emptyWorld(): World {
  return {
    lastId: 0,
    users: [],
    groups: [],
    tokens: [],
    posts: [],
    photos: [],
    uploads: [],
    received: [],
    captchas: [],
    apps: [],
    codes: [],
    refreshTokens: [],
    options: {
      guid_repeat: "first",
      guid_seconds: 3_600,
      community_wall: false,
      message_photos: true,
      posts_per_day: 50,
      postponed_posts: 150,
      edit_hours: 24,
    },
  };
}
