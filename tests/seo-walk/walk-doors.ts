/** Where the walk through the screens begins, and what it opens last. */
import { keepFigures } from "../../src/seo/refresh/keep-figures.ts";
import type { Runs } from "./walk-runs.ts";
import { broadcasts, type World } from "./walk-world.ts";

/** The label below an administrator's chat, and the person whom [Admin: user] finds (admin/person.ts). */
export async function officeDoors(world: World): Promise<string[]> {
  const news = await broadcasts(world);
  return ["admin", `admin:user:${world.whose.userId}`, `admin:broadcast:${news}`];
}

/** The menu, and what is reached from notices, commands and flows only; each names the place that leads there. */
export async function doorsIn(world: World, runs: Runs): Promise<string[]> {
  const { projectId, categoryId, siteId, channelId, vkId, boardId, sql, whose } = world;
  // The walk through the flows may have left a shorter list.
  await world.priceAll();
  const page = `${world.site}/tea/`;
  const result = { post_url: page };
  const article = await runs.copy("article", { status: "done", connectionId: siteId, result });
  await losesReaders(world, page);
  const expired = await runs.copy("article", { status: "expired", connectionId: siteId });
  const previewOf = async (run: string) => {
    const [row] = await sql<{ id: number }[]>`
      select id from seo.article_previews where workspace_id = ${whose.workspaceId} and run = ${run}`;
    return row?.id ?? 0;
  };
  const post = await runs.copy("post", { status: "done", connectionId: channelId });
  return [
    "dashboard",
    // Lists lead to the first of them: these are the ones that have everything.
    ...[`project:${projectId}:card`, `category:${categoryId}:card`],
    ...[siteId, channelId, vkId, boardId].flatMap((id) => [
      `connection:${id}:card`,
      `category:${categoryId}:connection:${id}:menu`,
    ]),
    // The end of ArticlePublish and ArticlePipeline (articles/publish-states.ts).
    `article:${await previewOf(article)}:published`,
    // The notice that nobody decided on an article for a day (runs/tell-of-expiry.ts).
    `article:${await previewOf(expired)}:again`,
    // The end of SocialPostPublish and SocialPipeline (posts/publish-states.ts).
    `post:${post}:result`,
    // The command /start pinterest_auth_… after the flow has ended (connections/pinterest-flow.ts).
    "pinterest:late",
    // [Возобновить подписку] of a subscription that was cancelled (money/subscription.ts).
    "subscription:resume",
  ];
}

/** Four clicks a day, then one. */
async function losesReaders({ sql, whose, projectId }: World, url: string): Promise<void> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const days = Array.from({ length: 56 }, (_, ago) => ({
    ...{ url, day: day(ago), clicks: ago < 28 ? 1 : 4, impressions: 50, position: 7 },
  }));
  const site = { ...whose, projectId, host: new URL(url).host };
  const covered = { from: day(55), to: day(0) };
  await keepFigures(sql, "google", site, { readAt: new Date(), property: "sc-domain:test", covered, days });
}

/** A subscription is cancelled at its provider, which this one does not have: the database says so. */
export async function preparedFor(address: string, { sql, whose }: World): Promise<void> {
  if (!address.startsWith("subscription")) return;
  const status = address === "subscription:resume" ? "cancelled" : "active";
  await sql`update billing.subscriptions set status = ${status} where user_id = ${whose.userId}`;
}

/** What takes something away comes when it is no longer needed: files before categories, projects at the end. */
export const lastOpened: readonly string[] = [
  "content:{id}:{@scope}:reset",
  "category:{id}:file:{@file}:delete:yes",
  "category:{id}:phrase:{phrase}:drop:{page}",
  "category:{id}:cluster:{cluster}:delete:yes",
  "category:{id}:keywords:delete:yes",
  "category:{id}:prices:delete:yes",
  "category:{id}:reviews:delete:yes",
  "category:{id}:description:delete:yes",
  "subscription:change:{@code}:yes",
  "subscription:cancel:yes",
  "subscription:resume",
  "admin:broadcast:{id}:stop",
  "admin:broadcast",
  "connection:{id}:delete:yes",
  "category:{id}:delete:yes",
  "project:{id}:delete:yes",
];
