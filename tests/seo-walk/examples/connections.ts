/** Connecting each platform, by its own flow and inside the pipelines. */

import type { Stored } from "../../../src/dialogs/flow/flow.ts";
import { noPinterest } from "../../../src/seo/bot/connections/connect-pinterest.ts";
import { noTelegram } from "../../../src/seo/bot/connections/connect-telegram.ts";
import { noVk } from "../../../src/seo/bot/connections/connect-vk.ts";
import { noWordPress } from "../../../src/seo/bot/connections/connect-wordpress.ts";
import { world as vkKeys } from "../../contract/vk/preparation.ts";
import { grantPinterest } from "../grant-pinterest.ts";
import type { Examples, Given } from "../walk-given.ts";
import { names } from "../walk-world.ts";

const said = { ru: "Не вышло", en: "It did not work" };
const wrong = { token: `8999:${"W".repeat(35)}`, password: "wrongWRONG1234wrongWRONG" };
/** Addresses: a flow's states are listed with the flow's name. */
type At<Role extends string> = Readonly<Record<Role, string>>;

/** Data of a pipeline whose connection gets another account: with a post that waits for it, and without. */
export type Reconnecting = (find: () => Promise<number>) => readonly (() => Promise<Stored>)[];

let lastSite = 0;

export function wordpressExamples(
  { taps, types, world, sealed }: Given,
  at: At<"url" | "probing" | "login" | "password" | "checking" | "elsewhere" | "failed">,
  here: Stored,
  /** A text that waits for its site, if there is one. */
  written?: () => Promise<Stored>,
): Examples {
  const { wordpress: nothing } = noWordPress;
  const { projectId, bareProjectId, site } = world;
  const bare = { projectId: bareProjectId, categoryId: 0 };
  const answered = (changes: Stored) => ({
    wordpress: {
      ...{ ...nothing, site, login: names.login, password: sealed(names.password), known: site, said },
      ...changes,
    },
  });
  const newSite =
    (changes: Stored = {}) =>
    async () => {
      lastSite += 1;
      await world.sql`delete from delivery.channels where target_id like 'new-%'`;
      return { ...answered({ site: await world.aSite(`new-${lastSite}`) }), ...changes };
    };
  return {
    [at.url]: [
      ...[taps(here, answered({})), taps(here, { projectId, ...noWordPress })],
      ...[types(site, here), types("no address", here)],
    ],
    [at.probing]: [taps(here, answered({})), taps(here, answered({ site: "https://nobody.invalid" }))],
    [at.login]: [types(names.login, { ...here, ...answered({}) })],
    [at.password]: [
      types(names.password, { ...here, ...answered({}) }),
      types("no", { ...here, ...answered({}) }),
    ],
    [at.checking]: [
      ...[taps(here, newSite({ projectId: bareProjectId })), taps({ ...here, ...bare }, newSite())],
      taps(here, answered({ password: sealed(wrong.password) })),
      taps(here, { projectId: bareProjectId, ...answered({}) }),
      ...(written ? [taps(newSite({ ...here, projectId: bareProjectId }), written)] : []),
    ],
    [at.elsewhere]: [taps(here, answered({}))],
    [at.failed]: [
      ...[taps(here, answered({})), taps({ ...here, categoryId: 0 }, answered({}))],
      ...(written ? [taps({ ...here, ...answered({}) }, written)] : []),
    ],
  };
}

export function telegramExamples(
  { taps, types, world, sealed }: Given,
  at: At<"channel" | "token" | "checking" | "elsewhere" | "failed">,
  here: Stored,
  reconnecting: Reconnecting = () => [],
): Examples {
  const { telegram: nothing } = noTelegram;
  const { token, target } = world.telegram;
  const answered = (changes: Stored = {}) => ({
    telegram: { ...nothing, channel: target, token: sealed(token), said, ...changes },
  });
  return {
    [at.channel]: [types(target, here), types("?", here)],
    [at.token]: [types(token, { ...here, ...answered() }), types("no token", { ...here, ...answered() })],
    [at.checking]: [
      ...[{}, { categoryId: 0 }].map((more) =>
        taps({ ...here, projectId: world.bareProjectId, ...more }, answered({ shared: true })),
      ),
      taps(here, { projectId: world.bareProjectId, ...answered() }),
      taps(here, answered({ token: sealed(wrong.token) })),
      taps(here, answered({ channel: "@nobody_is_here" })),
      ...reconnecting(async () => world.channelId).map((data) => taps(data, answered())),
    ],
    [at.elsewhere]: [taps(here, answered())],
    [at.failed]: [taps(here, answered())],
  };
}

export function vkExamples(
  { taps, types, world, sealed }: Given,
  at: At<"token" | "listing" | "select" | "connecting" | "elsewhere" | "failed">,
  here: Stored,
  reconnecting: Reconnecting = () => [],
): Examples {
  const { vk: nothing } = noVk;
  const many = Array.from({ length: 12 }, (_, id) => ({ id: String(101 + id), title: `Group ${id}` }));
  const answered = (changes: Stored = {}) => ({
    vk: { ...nothing, token: sealed(vkKeys.administrator), groups: many, said, ...changes },
  });
  const chosen = { group: String(vkKeys.shop) };
  return {
    [at.token]: [types(vkKeys.administrator, here), types("?", here)],
    [at.listing]: [
      taps(here, answered()),
      taps({ ...here, connectionId: world.vkId, isReconnecting: true }, answered()),
      taps(here, answered({ token: sealed("vk1.a.nobodys-key") })),
      { ...taps(here, answered()), ...faulty(world, "vk", "groups.get") },
    ],
    [at.select]: [taps(here, answered())],
    [at.connecting]: [
      ...[{}, { categoryId: 0 }].map((more) =>
        taps({ ...here, projectId: world.bareProjectId, ...more }, answered({ ...chosen, shared: true })),
      ),
      taps({ ...here, projectId: world.bareProjectId }, answered(chosen)),
      taps(here, answered({ group: "999999" })),
      ...reconnecting(async () => world.vkId).map((data) => taps(data, answered())),
    ],
    [at.elsewhere]: [taps(here, answered(chosen))],
    [at.failed]: [taps(here, answered(chosen)), taps(here, answered())],
  };
}

export function pinterestExamples(
  { taps, world }: Given,
  at: At<"opening" | "oauth" | "listing" | "select" | "connecting" | "elsewhere" | "failed">,
  here: Stored,
  reconnecting: Reconnecting = () => [],
): Examples {
  const { pinterest: nothing } = noPinterest;
  const many = Array.from({ length: 12 }, (_, id) => ({ id: `5497558851${id}`, title: `Board ${id}` }));
  const link = "https://pinterest.example/consent";
  const answered = (changes: Stored = {}) => ({
    pinterest: { ...nothing, link, boards: many, said, ...changes },
  });
  const granted =
    (changes: Stored = {}) =>
    async () =>
      answered({ nonce: await grantPinterest(world), ...changes });
  const chosen = { board: "54975588511" };
  /** Connected by the account that gives access here. */
  const grantedBoard = async () => {
    const [row] = await world.sql<{ id: number }[]>`
      select id from seo.platform_connections where identifier = ${chosen.board} order by id limit 1`;
    return row?.id ?? 0;
  };
  const elsewhere = { ...here, projectId: world.bareProjectId };
  return {
    [at.opening]: [taps(here), { ...taps(here), ...withoutPinterest(world) }],
    [at.oauth]: [
      taps(here, answered()),
      { ...taps(here, answered()), command: { name: "start", argument: "pinterest_auth_1" } },
    ],
    [at.listing]: [
      taps(here, granted()),
      taps({ ...here, connectionId: world.boardId, isReconnecting: true }, granted()),
      taps(here, answered({ nonce: "nobody" })),
    ],
    [at.select]: [taps(here, answered())],
    [at.connecting]: [
      taps(elsewhere, granted({ ...chosen, shared: true })),
      taps({ ...elsewhere, categoryId: 0 }, granted({ ...chosen, shared: true })),
      taps({ ...here, projectId: world.projectId }, granted({ board: "999" })),
      taps(here, answered({ nonce: "nobody" })),
      taps({ ...here, projectId: world.projectId }, granted(chosen)),
      ...reconnecting(grantedBoard).map((data) => taps(data, granted())),
    ],
    [at.elsewhere]: [taps(here, answered(chosen))],
    [at.failed]: [
      ...[taps(here, answered({ nonce: "1" })), taps(here, answered({ nonce: "" }))],
      taps(here, answered({ limited: true })),
    ],
  };
}

/** The platform's settings are missing while it is tried. */
function withoutPinterest({ services }: Given["world"]) {
  const { consent } = services.platforms.platformOf("pinterest");
  return {
    before: () => void Object.assign(consent ?? {}, { missing: ["PINTEREST_APP_ID"] }),
    after: () => void Object.assign(consent ?? {}, { missing: undefined }),
  };
}

/** The provider answers with an error while it is tried. */
function faulty({ harness }: Given["world"], provider: string, method: string) {
  const fault = { kind: "status", status: 500 };
  return {
    before: async () =>
      void (await harness.control("POST", "/faults", { provider, method, fault, times: 50 })),
    after: async () => void (await harness.control("DELETE", "/faults")),
  };
}

/** The states of a flow by their roles, for states that are called as their roles are, and for others. */
const at = <Role extends string>(flow: string, roles: readonly Role[]): At<Role> =>
  Object.fromEntries(roles.map((role) => [role, `${flow}.${role}`])) as At<Role>;

export function connectionExamples(how: Given): Examples {
  const { taps, types, world } = how;
  const here = { projectId: world.projectId };
  const site = { connectionId: world.siteId };
  const ends = ["elsewhere", "failed"] as const;
  return {
    ...wordpressExamples(
      how,
      at("ConnectWordPress", ["url", "probing", "login", "password", "checking", ...ends]),
      here,
    ),
    ...telegramExamples(how, at("ConnectTelegram", ["channel", "token", "checking", ...ends]), here),
    ...vkExamples(
      how,
      {
        ...at("ConnectVK", ["token", "listing", "connecting", ...ends]),
        select: "ConnectVK.select_group",
      },
      here,
    ),
    ...pinterestExamples(
      how,
      {
        ...at("ConnectPinterest", ["opening", "listing", "connecting", ...ends]),
        ...{ oauth: "ConnectPinterest.oauth_callback", select: "ConnectPinterest.select_board" },
      },
      here,
    ),
    "ConnectionCheck.checking": [
      ...[world.siteId, world.channelId, world.vkId, world.boardId].map((connectionId) =>
        taps({ ...here, connectionId }),
      ),
      taps({ ...here, connectionId: world.gone }),
    ],
    "SiteSettings.field_value": [
      taps({ ...site, field: "tags", now: "oolong" }),
      ...["categories", "tags"].map((field) => types("Tea, Oolong", { ...site, field })),
      types("https://tea.example", { ...site, field: "canonical" }),
      types("Tea — https://tea.example/1", { ...site, field: "external_links" }),
      types("?", { ...site, field: "canonical" }),
    ],
  };
}
