import type { Preparation } from "../preparation.ts";

/** A shop's site with a person of every role; all have the same application password. */
export const world = {
  site: "shop",
  url: "https://shop.wordpress.test",
  password: "abcdEFGH1234ijklMNOP6789",
  logins: { administrator: "anna", editor: "boris", author: "vera", contributor: "gleb", subscriber: "dina" },
} as const;

const as = (login: string, app_password: string = world.password) => ({
  url: world.url,
  login,
  app_password,
});

export const credentials = {
  administrator: as(world.logins.administrator),
  editor: as(world.logins.editor),
  author: as(world.logins.author),
  contributor: as(world.logins.contributor),
  subscriber: as(world.logins.subscriber),
} as const;

const site = {
  name: world.site,
  title: "Лавка чая",
  locale: "ru_RU",
  users: Object.entries(world.logins).map(([role, login]) => ({ login, role, passwords: [world.password] })),
};

const changed = (body: object) => ({ method: "PATCH", path: `/wordpress/sites/${world.site}`, body });

export const preparation: Preparation = {
  credential: credentials.administrator,
  wrongCredential: as("anna", "wrongWRONG1234wrongWRONG"),
  targetId: "shop.wordpress.test",
  shownAt: world.site,
  absentTarget: "nobody.wordpress.test",
  world: [{ path: "/wordpress/sites", body: site }],
  without: [
    "buttons",
    "series",
    "silence",
    "replies",
    "split",
    "lossy_lists",
    "video",
    "animation",
    "audio",
    "document",
  ],
  methods: {
    text: "POST /wp/v2/posts",
    photo: "POST /wp/v2/posts",
    upload: "POST /wp/v2/media",
    edit: "POST /wp/v2/posts/:id",
    remove: "DELETE /wp/v2/posts/:id",
  },
  largestFiles: [{ kind: "photo", bytes: 2 * 1024 * 1024 }],
  pictures: { largest: [2560, 1000], beyond: [2561, 1000] },
  checked: {
    steps: ["chat", "token", "rights"],
    account: "anna",
    outage: { step: "chat", finding: "site_in_maintenance" },
  },
  troubles: [
    {
      name: "a wrong password",
      credential: as("anna", "wrongWRONG1234wrongWRONG"),
      step: "token",
      finding: "token_refused",
    },
    {
      name: "a wrong password at a site that takes who errs for a stranger",
      credential: as("anna", "wrongWRONG1234wrongWRONG"),
      control: changed({ bad_password: "ignored" }),
      step: "token",
      finding: "token_refused",
    },
    { name: "a login of nobody", credential: as("nobody"), step: "token", finding: "token_refused" },
    {
      name: "a web server that keeps the Authorization header to itself",
      control: changed({ strips_authorization: true }),
      step: "token",
      finding: "token_refused",
    },
    {
      name: "application passwords that are switched off",
      control: changed({ application_passwords: "off" }),
      step: "token",
      finding: "passwords_off",
    },
    {
      name: "application passwords that a plugin refuses",
      control: changed({ application_passwords: "refused" }),
      step: "token",
      finding: "passwords_off",
    },
    {
      name: "a target that is another site",
      targetId: "nobody.wordpress.test",
      step: "chat",
      finding: "site_of_another_credential",
    },
    {
      name: "an address without a site",
      targetId: "nobody.wordpress.test",
      credential: { ...as("anna"), url: "https://nobody.wordpress.test" },
      step: "chat",
      finding: "chat_not_found",
    },
    {
      name: "a site that has moved to another address",
      control: changed({ moved_to: "https://www.shop.example" }),
      step: "chat",
      finding: "site_moved",
    },
    {
      name: "REST that a plugin has switched off",
      control: changed({ rest: "forbidden" }),
      step: "chat",
      finding: "rest_off",
    },
    {
      name: "REST that is not there at all",
      control: changed({ rest: "absent" }),
      step: "chat",
      finding: "rest_off",
    },
    {
      name: "a security plugin that answers with a page and 403",
      control: changed({ rest: "forbidden_html" }),
      step: "chat",
      finding: "security_plugin",
    },
    {
      name: "a firewall that answers with a page and 406",
      control: changed({ rest: "not_acceptable_html" }),
      step: "chat",
      finding: "security_plugin",
    },
    {
      name: "a maintenance page with 200",
      control: changed({ maintenance: "page_200" }),
      step: "chat",
      finding: "site_in_maintenance",
    },
    {
      name: "a maintenance page with 503",
      control: changed({ maintenance: "page_503" }),
      step: "chat",
      finding: "site_in_maintenance",
    },
    {
      name: "a role that may not publish",
      credential: credentials.contributor,
      step: "rights",
      finding: "may_not_post",
    },
  ],
};
