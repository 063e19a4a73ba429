import { deleteMedia, getMedia, listMedia, updateMedia, uploadMedia } from "./calls/media.ts";
import { updateRankMath } from "./calls/meta.ts";
import { createPost, deletePost, getPost, listPosts, updatePost } from "./calls/posts.ts";
import { siteIndex } from "./calls/site-index.ts";
import { termCalls } from "./calls/terms.ts";
import { me } from "./calls/users.ts";
import type { Site } from "./model.ts";
import type { Call, Reply } from "./request.ts";

type Handler = (call: Call) => Promise<Reply>;

export interface Route {
  /** Its name in fault scripts and the journal: `/wp/v2/posts/:id`. */
  readonly path: string;
  readonly methods: Readonly<Partial<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", Handler>>>;
  readonly plugin?: Site["options"]["plugins"][number];
}

const categories = termCalls("category");
const tags = termCalls("post_tag");

const routes: readonly Route[] = [
  { path: "/", methods: { GET: siteIndex } },
  { path: "/wp/v2/users/me", methods: { GET: me } },
  { path: "/wp/v2/posts", methods: { GET: listPosts, POST: createPost } },
  {
    path: "/wp/v2/posts/:id",
    methods: { GET: getPost, POST: updatePost, PUT: updatePost, PATCH: updatePost, DELETE: deletePost },
  },
  { path: "/wp/v2/media", methods: { GET: listMedia, POST: uploadMedia } },
  {
    path: "/wp/v2/media/:id",
    methods: { GET: getMedia, POST: updateMedia, PUT: updateMedia, PATCH: updateMedia, DELETE: deleteMedia },
  },
  { path: "/wp/v2/categories", methods: { GET: categories.list, POST: categories.create } },
  { path: "/wp/v2/categories/:id", methods: { GET: categories.get, DELETE: categories.remove } },
  { path: "/wp/v2/tags", methods: { GET: tags.list, POST: tags.create } },
  { path: "/wp/v2/tags/:id", methods: { GET: tags.get, DELETE: tags.remove } },
  { path: "/rankmath/v1/updateMeta", methods: { POST: updateRankMath }, plugin: "rankmath" },
];

export interface FoundRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export function findRoute(site: Site, path: string): FoundRoute | undefined {
  const plain = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const end = plain.lastIndexOf("/");
  const id = /^\d+$/.test(plain.slice(end + 1)) ? plain.slice(end + 1) : undefined;
  const wanted = id === undefined ? plain : `${plain.slice(0, end)}/:id`;
  const route = routes.find(
    (each) => each.path === wanted && (!each.plugin || site.options.plugins.includes(each.plugin)),
  );
  return route && { route, params: id === undefined ? {} : { id } };
}
