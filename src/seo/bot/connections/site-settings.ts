/** How a WordPress site publishes: links, what search engines are told, the type of schema.org, colours. Chosen by buttons. */
import type { Guest, ScreenKey, View } from "../../../dialogs/index.ts";
import { grid } from "../../../dialogs/index.ts";
import { readConnection } from "../../connections/connections.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import {
  changeSiteMetadata,
  type SiteMetadataChanges,
  siteMetadataOf,
  usualInternalLinks,
} from "../../connections/site-metadata.ts";
import { articleTypes } from "../../render/json-ld.ts";
import { action, type BotServices, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { coloursOf } from "./connection-card.ts";
import { placeName } from "./place-name.ts";

type Visit = Guest<BotServices>;

/** The most links that an article may have. */
const mostLinks = 10;

export const robotModes = {
  index_follow: "index, follow",
  noindex_follow: "noindex, follow",
  index_nofollow: "index, nofollow",
  noindex_nofollow: "noindex, nofollow",
} as const;

export const siteLinks = screen("connection:{id}:links", {
  to: ["connection:{id}:links:{count}", "connection:{id}:card"],
  show: ({ id }, visit) =>
    shown(id, visit, (connection) => {
      const say = texts[visit.language].connections.site.internal;
      const { internal_links: now = usualInternalLinks } = siteMetadataOf(connection);
      const counts = Array.from({ length: mostLinks + 1 }, (_, count) => count);
      return {
        text: say.question(placeName(connection), now, connection.site?.links_found ?? null),
        keys: grid(
          counts.map((count) => ({
            label: chosen(String(count), count === now),
            to: `connection:${id}:links:${count}`,
          })),
          4,
        ),
      };
    }),
});

export const setLinks = action("connection:{id}:links:{count}", {
  to: ["connection:{id}:links"],
  act: ({ id, count }, visit) =>
    count > mostLinks ? undefined : changed(id, visit, { internal_links: count }, `connection:${id}:links`),
});

export const siteSeo = screen("connection:{id}:seo", {
  to: ["connection:{id}:site:{@field}", "connection:{id}:robots:{@mode}", "connection:{id}:card"],
  show: ({ id }, visit) =>
    shown(id, visit, (connection) => {
      const say = texts[visit.language].connections.site.seo;
      const { canonical, robots } = siteMetadataOf(connection);
      const modes = Object.entries(robotModes).map(([mode, words]): ScreenKey[] => [
        { label: chosen(words, words === robots), to: `connection:${id}:robots:${mode}` },
      ]);
      return {
        text: say.question(placeName(connection), canonical ?? null, robots ?? null),
        keys: [
          [{ label: say.changeCanonical, to: `connection:${id}:site:canonical` }],
          ...modes,
          [{ label: chosen(say.asSite, robots === undefined), to: `connection:${id}:robots:site` }],
        ],
      };
    }),
});

export const setRobots = action("connection:{id}:robots:{@mode}", {
  to: ["connection:{id}:seo"],
  act({ id, mode }, visit) {
    const known = Object.entries(robotModes).find(([name]) => name === mode)?.[1];
    if (known === undefined && mode !== "site") return undefined;
    return changed(id, visit, { robots: known ?? null }, `connection:${id}:seo`);
  },
});

export const siteSchema = screen("connection:{id}:schema", {
  to: ["connection:{id}:schema:{@type}", "connection:{id}:card"],
  show: ({ id }, visit) =>
    shown(id, visit, (connection) => {
      const say = texts[visit.language].connections.site.schema;
      const { schema_type: now = "Article" } = siteMetadataOf(connection);
      return {
        text: say.question(placeName(connection)),
        keys: articleTypes.map((type) => [
          { label: chosen(say.types[type], type === now), to: `connection:${id}:schema:${type}` },
        ]),
      };
    }),
});

export const setSchema = action("connection:{id}:schema:{@type}", {
  to: ["connection:{id}:schema"],
  act({ id, type }, visit) {
    const known = articleTypes.find((each) => each === type);
    return known && changed(id, visit, { schema_type: known }, `connection:${id}:schema`);
  },
});

export const siteColours = screen("connection:{id}:colors", {
  to: ["connection:{id}:card"],
  show: ({ id }, visit) =>
    shown(id, visit, (connection) => {
      const say = texts[visit.language].connections.site.colors;
      const colours = connection.site ? coloursOf(connection.site) : [];
      const lines = colours.map(({ name, value }) => `• ${say.names[name] ?? name}: ${value}`);
      return { text: say.shown(placeName(connection), lines.join("\n")), keys: [] };
    }),
});

export const siteSettingsScreens = [
  ...[siteLinks, setLinks, siteSeo, setRobots, siteSchema, setSchema, siteColours],
] as const;

const chosen = (label: string, isChosen: boolean) => (isChosen ? `✓ ${label}` : label);

/** A screen of a site; other platforms have none. */
async function shown(
  id: number,
  visit: Visit,
  made: (connection: SeoConnection) => {
    readonly text: string;
    readonly keys: readonly (readonly ScreenKey[])[];
  },
): Promise<View | undefined> {
  const connection = await siteOf(id, visit);
  if (!connection) return undefined;
  const { text, keys } = made(connection);
  const back = { label: texts[visit.language].connections.toConnection, to: `connection:${id}:card` };
  return { text, buttons: [...keys, [back]] };
}

async function changed(id: number, visit: Visit, changes: SiteMetadataChanges, to: string) {
  if (!(await siteOf(id, visit))) return undefined;
  await changeSiteMetadata(inStep(visit), whoseOf(visit), id, changes);
  return { to, toast: texts[visit.language].connections.site.saved };
}

export async function siteOf(id: number, visit: Pick<Visit, "sql" | "workspaceId" | "userId">) {
  const connection = await ifFound(() => readConnection(visit.sql, whoseOf(visit), id));
  return connection?.platform_type === "wordpress" ? connection : undefined;
}
