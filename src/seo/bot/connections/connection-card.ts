/** One connection: how it is, what was learnt of its site, and what can be done with it. */
import { z } from "zod";
import { grid, type Language, type ScreenKey } from "../../../dialogs/index.ts";
import { readConnection } from "../../connections/connections.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { findingWords } from "../../connections/words.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { connectionName, placeUrl } from "./place-name.ts";

export const connectionCard = screen("connection:{id}:card", {
  to: [
    ...["connection:{id}:check", "connection:{id}:reconnect", "connection:{id}:delete"],
    ...[
      "connection:{id}:site:{@field}",
      "connection:{id}:links",
      "connection:{id}:seo",
      "connection:{id}:schema",
    ],
    ...["connection:{id}:colors", "project:{id}:connections", "project:{id}:card"],
  ],
  async show({ id }, visit) {
    const connection = await ifFound(() => readConnection(visit.sql, whoseOf(visit), id));
    if (!connection) return undefined;
    const { connections: say, common } = texts[visit.language];
    const { project_id: project, platform_type: platform, status } = connection;
    const reconnect: ScreenKey = {
      label: say.card.reconnect(platformNames[platform]),
      to: `connection:${id}:reconnect`,
      ...(status !== "active" && { style: "primary" }),
    };
    const url = placeUrl(connection);
    return {
      text: cardText(connection, visit.language),
      buttons: [
        ...(url === undefined ? [] : [[{ label: say.card.open, url }]]),
        [{ label: say.card.check, to: `connection:${id}:check` }],
        [reconnect],
        ...(platform === "wordpress" ? siteButtons(id, visit.language) : []),
        [{ label: say.card.remove, to: `connection:${id}:delete`, style: "danger" }],
        [
          { label: common.toConnections, to: `project:${project}:connections` },
          { label: common.toProject, to: `project:${project}:card` },
        ],
      ],
    };
  },
});

function siteButtons(id: number, language: Language): ScreenKey[][] {
  const say = texts[language].connections.site;
  return grid(
    [
      { label: say.categories.button, to: `connection:${id}:site:categories` },
      { label: say.tags.button, to: `connection:${id}:site:tags` },
      { label: say.internal.button, to: `connection:${id}:links` },
      { label: say.external.button, to: `connection:${id}:site:external_links` },
      { label: say.seo.button, to: `connection:${id}:seo` },
      { label: say.schema.button, to: `connection:${id}:schema` },
      { label: say.colors.button, to: `connection:${id}:colors` },
    ],
    2,
  );
}

function cardText(connection: SeoConnection, language: Language): string {
  const say = texts[language].connections;
  const { status, created_at, site } = connection;
  const lines = [
    connectionName(connection),
    `${say.marks[status]} ${say.card.status(say.statuses[status])}`,
    say.card.since(new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(created_at)),
    ...errorLines(connection, language),
    ...(site ? ["", ...siteLines(site, language)] : []),
  ];
  return lines.join("\n");
}

/** What the platform said last, in words that help. */
function errorLines(
  { status, error, platform_type, identifier }: SeoConnection,
  language: Language,
): string[] {
  const say = texts[language].connections.card;
  if (status === "disconnected") return [say.disconnected];
  if (status !== "error") return [];
  const { code = "", message } = errorShape.safeParse(error).data ?? {};
  const known = refusals[code];
  const words = known
    ? findingWords(platform_type, known, { target: identifier })[language]
    : (message ?? say.unknownError);
  return [say.error(words)];
}

const errorShape = z.object({ code: z.string().optional(), message: z.string().optional() });

/** Errors of deliveries by the findings whose words are known. */
const refusals: Readonly<Record<string, string>> = {
  unauthorized: "token_refused",
  channel_unavailable: "chat_not_found",
  permission_missing: "may_not_post",
  upstream_unavailable: "unreachable",
};

function siteLines(site: NonNullable<SeoConnection["site"]>, language: Language): string[] {
  const say = texts[language].connections.site;
  const colours = coloursOf(site);
  const learnt = [
    ...(colours.length > 0 ? [say.colors.line(colours.map(({ value }) => value).join(", "))] : []),
    ...(site.performance === null ? [] : [say.score(site.performance, site.seo_score)]),
    ...(site.links_found === null ? [] : [say.linksFound(site.links_found)]),
  ];
  return learnt.length > 0 ? learnt : [say.learning];
}

export function coloursOf({ colors }: NonNullable<SeoConnection["site"]>): { name: string; value: string }[] {
  return Object.entries(colors ?? {}).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}
