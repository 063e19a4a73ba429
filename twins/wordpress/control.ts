import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { definedOnly, InputError, readInput } from "../shared/index.ts";
import { bare } from "./auth.ts";
import { newPassword } from "./authorize.ts";
import type { Site, SiteOptions } from "./model.ts";
import { homeOf, restUrl, type WordPress } from "./twin.ts";
import { placeView, postSummary } from "./views.ts";

/** Actions of people and tests, below `/_control/wordpress`. */
export async function controlRoutes(app: FastifyInstance, wordpress: WordPress): Promise<void> {
  const { store, context } = wordpress;

  app.get("/_control/wordpress/sites", async () => ({
    sites: store.world.sites.map((site) => siteView(wordpress, site)),
  }));

  /** Creates the site or updates it as described; a repeat changes nothing. */
  app.post("/_control/wordpress/sites", async (request) => {
    const { name, users, ...wanted } = readInput(siteBody, request.body);
    const site = store.site(name) ?? store.addSite(name, { ...usual, title: name, ...optionsOf(wanted) });
    Object.assign(site.options, optionsOf(wanted));
    for (const user of users) setUser(site, user);
    store.changed();
    context.bus.publish({ type: "place", provider: "wordpress", place: placeView(site) });
    return siteView(wordpress, site);
  });

  app.patch("/_control/wordpress/sites/:site", async (request) => {
    const site = siteNamed(wordpress, request.params);
    const { users, ...wanted } = readInput(siteChange, request.body);
    Object.assign(site.options, optionsOf(wanted));
    for (const user of users) setUser(site, user);
    store.changed();
    return siteView(wordpress, site);
  });

  app.get("/_control/wordpress/sites/:site/posts", async (request) => {
    const site = siteNamed(wordpress, request.params);
    return { posts: site.posts.map((post) => postSummary(wordpress, site, post)) };
  });
}

const usual: SiteOptions = {
  title: "",
  tagline: "",
  version: "6.5.5",
  locale: "en_US",
  timezone: "Europe/Moscow",
  permalinks: "pretty",
  folder: "",
  plugins: [],
  registeredMeta: [],
  applicationPasswords: "on",
  badPassword: "refused",
  rest: "on",
  stripsAuthorization: false,
  maintenance: "none",
  uploadMaxBytes: 8 * 1024 * 1024,
  postMaxBytes: 9 * 1024 * 1024,
  bodyMaxBytes: 64 * 1024 * 1024,
  mimeTypes: null,
  movedTo: null,
};

const userBody = z.strictObject({
  login: z.string().min(1),
  role: z.enum(["administrator", "editor", "author", "contributor", "subscriber"]).default("administrator"),
  email: z.string().optional(),
  name: z.string().optional(),
  passwords: z.array(z.string().min(1)).default([]),
  application_passwords: z.boolean().default(true),
});

const bytes = z.int().min(1).optional();

const siteChange = z.strictObject({
  title: z.string().min(1).optional(),
  tagline: z.string().optional(),
  version: z.string().optional(),
  locale: z.enum(["en_US", "ru_RU"]).optional(),
  timezone: z.string().optional(),
  permalinks: z.enum(["pretty", "plain"]).optional(),
  folder: z
    .string()
    .regex(/^[a-z0-9-]*$/)
    .optional(),
  plugins: z.array(z.enum(["yoast", "rankmath"])).optional(),
  registered_meta: z.array(z.string()).optional(),
  application_passwords: z.enum(["on", "off", "refused"]).optional(),
  bad_password: z.enum(["refused", "ignored"]).optional(),
  rest: z.enum(["on", "members", "forbidden", "forbidden_html", "not_acceptable_html", "absent"]).optional(),
  strips_authorization: z.boolean().optional(),
  maintenance: z.enum(["none", "page_200", "page_503"]).optional(),
  upload_max_bytes: bytes,
  post_max_bytes: bytes,
  body_max_bytes: bytes,
  mime_types: z.record(z.string(), z.string()).nullish(),
  moved_to: z.string().nullish(),
  files: z.record(z.string().regex(/^[\w.-]+$/), z.string()).optional(),
  users: z.array(userBody).default([]),
});

const siteBody = siteChange.extend({ name: z.string().regex(/^[a-z0-9-]+$/) });

type Wanted = Omit<z.output<typeof siteChange>, "users">;

function optionsOf(wanted: Wanted): Partial<SiteOptions> {
  const { title, tagline, version, locale, timezone, permalinks, folder, plugins, rest, maintenance } =
    wanted;
  if (timezone !== undefined && !isZone(timezone))
    throw new InputError(`timezone: ${timezone} is no time zone`);
  return definedOnly({
    title,
    tagline,
    version,
    locale,
    timezone,
    permalinks,
    folder,
    plugins,
    rest,
    maintenance,
    registeredMeta: wanted.registered_meta,
    applicationPasswords: wanted.application_passwords,
    badPassword: wanted.bad_password,
    stripsAuthorization: wanted.strips_authorization,
    uploadMaxBytes: wanted.upload_max_bytes,
    postMaxBytes: wanted.post_max_bytes,
    bodyMaxBytes: wanted.body_max_bytes,
    mimeTypes: wanted.mime_types,
    movedTo: wanted.moved_to,
    files: wanted.files,
  });
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function setUser(site: Site, wanted: z.output<typeof userBody>): void {
  const passwords = wanted.passwords.map(bare);
  const known = site.users.find(({ login }) => login === wanted.login);
  if (known) {
    known.role = wanted.role;
    known.applicationPasswords = wanted.application_passwords;
    known.passwords = [...new Set([...known.passwords, ...passwords])];
    known.name = wanted.name ?? known.name;
    return;
  }
  site.users.push({
    id: site.users.length + 1,
    login: wanted.login,
    email: wanted.email ?? `${wanted.login}@example.test`,
    name: wanted.name ?? wanted.login,
    role: wanted.role,
    passwords: passwords.length > 0 ? passwords : [newPassword()],
    applicationPasswords: wanted.application_passwords,
  });
}

function siteNamed({ store }: WordPress, params: unknown): Site {
  const { site: name } = readInput(z.object({ site: z.string() }), params);
  const site = store.site(name);
  if (!site) throw new InputError(`site: there is no site ${name}`, 404);
  return site;
}

/** Links for people, credentials for tests: the twins listen on loopback and hold no real secrets. */
function siteView(wordpress: WordPress, site: Site) {
  return {
    name: site.name,
    title: site.options.title,
    url: homeOf(wordpress, site),
    rest_url: restUrl(wordpress, site, "/"),
    authorize_url: `${homeOf(wordpress, site)}/wp-admin/authorize-application.php`,
    users: site.users.map(({ id, login, role, passwords }) => ({ id, login, role, passwords })),
    posts: site.posts.length,
    options: site.options,
  };
}
