import {
  type Credential,
  createPlatforms,
  credentialText,
  type PlatformName,
} from "../../src/platforms/index.ts";
import { twinApp } from "../../src/platforms/pinterest/index.ts";
import type { JournalEntry } from "../../twins/index.ts";

/** Where pages, wall posts and Pins go. A post for them has a picture, because a Pin cannot be without one. */
export const networks = ["wordpress", "vk", "pinterest"] as const;
export type Network = (typeof networks)[number];

/** A site, a wall or a board. */
export interface Place {
  readonly messenger: Network;
  /** Its name in the twin's journal and views. */
  readonly id: string;
  /** The channel's target, where it is not the same. */
  readonly target?: string;
  /** The credential; also the rate group. */
  readonly bot: string;
}

/** So many sites, walls and boards. A site has its own credential; walls and boards share one. */
export function placesOf(count: number): Place[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((number): Place[] => [
    {
      messenger: "wordpress",
      id: `chaos-${number}`,
      target: `chaos-${number}.wordpress.test`,
      bot: `wordpress_${number}`,
    },
    { messenger: "vk", id: String(500 + number), bot: "vk_1" },
    { messenger: "pinterest", id: String(549_755_880_000 + number), bot: "pinterest_1" },
  ]);
}

const password = "abcdEFGH1234ijklMNOP6789";
const key = "vk1.a.chaos";
const pins = {
  access_token: "pina_chaos",
  refresh_token: "pinr_chaos",
  expires_at: "2100-01-01T00:00:00.000Z",
  refresh_expires_at: "2100-02-01T00:00:00.000Z",
  scope: "boards:read boards:write pins:read pins:write user_accounts:read",
};

export function credentialOf({ messenger, target }: Pick<Place, "messenger" | "target">): Credential {
  if (messenger === "vk") return { token: key };
  if (messenger === "pinterest") return pins;
  return { url: `https://${target}`, login: "anna", app_password: password };
}

const definitionOf = (name: PlatformName) => createPlatforms({}).definitionOf(name);

/** The same as the value of a variable. */
export const credentialValue = (place: Place): string =>
  credentialText(definitionOf(place.messenger).credential, credentialOf(place));

/** The calls of the twins' control that make these places. */
export function worldOf(places: readonly Place[]): { readonly path: string; readonly body: object }[] {
  const app = {
    client_id: twinApp.id,
    client_secret: twinApp.secret,
    name: "Молва",
    redirect_uris: ["http://127.0.0.1:8080/api/auth/pinterest/callback"],
    beta: true,
  };
  const { access_token, refresh_token, scope } = pins;
  return [
    { path: "vk/users", body: { id: 5, first_name: "Анна", last_name: "Смирнова" } },
    { path: "vk/tokens", body: { token: key, kind: "user", user_id: 5 } },
    { path: "pinterest/apps", body: app },
    { path: "pinterest/accounts", body: { username: "chaos", business_name: "Шторм" } },
    {
      path: "pinterest/tokens",
      body: {
        client_id: twinApp.id,
        username: "chaos",
        scopes: scope.split(" "),
        access_token,
        refresh_token,
      },
    },
    ...places.map(({ messenger, id }) => {
      if (messenger === "pinterest")
        return { path: "pinterest/boards", body: { id, username: "chaos", name: `Доска ${id}` } };
      if (messenger === "vk")
        return {
          path: "vk/groups",
          body: {
            id: Number(id),
            name: `Стена ${id}`,
            screen_name: `chaos_${id}`,
            managers: [{ user_id: 5, role: "administrator" }],
          },
        };
      const users = [{ login: "anna", role: "administrator", passwords: [password] }];
      return { path: "wordpress/sites", body: { name: id, title: id, locale: "ru_RU", users } };
    }),
  ];
}

const posting = new Set(["POST /wp/v2/posts", "wall.post", "POST /pins"]);

/** What a post of the call begins with, by which it is recognised; undefined if the call is none of a network's posts. */
export function beginningOf({ method, provider, request }: JournalEntry): string | undefined {
  if (!networks.some((network) => network === provider) || !posting.has(method)) return undefined;
  return /№\d+\./.exec(JSON.stringify(request))?.[0];
}

/** A post for these places; corrections keep its picture, which nobody can change on a Pin. */
export const networkPost = (number: number, text: string, picture: string) => ({
  text,
  article: { title: `№${number}. Новый мост` },
  media: [{ type: "photo" as const, url: picture, alt: "Мост" }],
});

/** What tells one correction from another; a network may show more than the text around it. */
export const correctionIn = (text: string): string => /Исправлено \d+/.exec(text)?.[0] ?? text;
