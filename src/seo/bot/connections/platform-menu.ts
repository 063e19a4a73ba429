/** What can be done for a category on one of its project's platforms. */
import type { Guest, ScreenKey } from "../../../dialogs/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { readConnection } from "../../connections/connections.ts";
import { readProject } from "../../projects/projects.ts";
import { readSettings } from "../../settings/settings.ts";
import { type BotServices, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { connectionName } from "./place-name.ts";

export const platformMenu = screen("category:{id}:connection:{connection}:menu", {
  to: [
    ...["category:{id}:connection:{connection}:article", "category:{id}:connection:{connection}:post"],
    ...["category:{id}:platform:{@platform}:content", "category:{id}:connection:{connection}:link"],
    ...["category:{id}:connection:{connection}:schedule", "project:{id}:connect:{@platform}"],
    ...["connection:{id}:delete", "connection:{id}:card", "category:{id}:card", "dashboard"],
  ],
  async show({ id, connection: connectionId }, visit) {
    const found = await bothOf(id, connectionId, visit);
    if (!found) return undefined;
    const { category, connection } = found;
    const { connections, common } = texts[visit.language];
    const say = connections.menu;
    const { platform_type: platform, status } = connection;
    const own = `category:${id}:connection:${connectionId}`;
    const { image_from, text_from } = await readSettings(inStep(visit).sql, whoseOf(visit), id, platform);
    const isOwn = [image_from, text_from].includes("platform");
    const boards: ScreenKey[] =
      platform === "pinterest"
        ? [{ label: say.boards, to: `project:${connection.project_id}:connect:pinterest` }]
        : [];
    return {
      text: say.text(category.name, connectionName(connection), connections.statuses[status]),
      buttons: [
        [
          {
            label: say.publish[platform],
            to: `${own}:${platform === "wordpress" ? "article" : "post"}`,
            style: "success",
          },
        ],
        [{ label: say.schedule, to: `${own}:schedule` }],
        [{ label: isOwn ? say.ownContent : say.content, to: `category:${id}:platform:${platform}:content` }],
        [{ label: say.link, to: `${own}:link` }, ...boards],
        [{ label: say.connection, to: `connection:${connectionId}:card` }],
        [{ label: say.disconnect, to: `connection:${connectionId}:delete`, style: "danger" }],
        [
          { label: common.toCategory, to: `category:${id}:card` },
          { label: common.mainMenu, to: "dashboard" },
        ],
      ],
    };
  },
});

/** Where readers of this platform are led. */
export const siteLink = screen("category:{id}:connection:{connection}:link", {
  to: ["project:{id}:edit", "category:{id}:connection:{connection}:menu"],
  async show({ id, connection: connectionId }, visit) {
    const found = await bothOf(id, connectionId, visit);
    if (!found) return undefined;
    const { project_id, platform_type, identifier } = found.connection;
    const project = await readProject(visit.sql, whoseOf(visit), project_id);
    const { connections, common } = texts[visit.language];
    const say = connections.menu;
    const site = platform_type === "wordpress" ? `https://${identifier}` : project.website_url;
    return {
      text: say.linkText[platform_type](site),
      buttons: [
        ...(site === null ? [] : [[{ label: connections.card.open, url: site }]]),
        ...(platform_type === "wordpress"
          ? []
          : [[{ label: say.changeLink, to: `project:${project_id}:edit` }]]),
        [{ label: common.back, to: `category:${id}:connection:${connectionId}:menu` }],
      ],
    };
  },
});

/** A category and a connection of one project; undefined if they are not this person's. */
export async function bothOf(categoryId: number, connectionId: number, visit: Guest<BotServices>) {
  const whose = whoseOf(visit);
  const category = await ifFound(() => readCategory(visit.sql, whose, categoryId));
  const connection = await ifFound(() => readConnection(visit.sql, whose, connectionId));
  return category && connection && category.project_id === connection.project_id
    ? { category, connection }
    : undefined;
}
