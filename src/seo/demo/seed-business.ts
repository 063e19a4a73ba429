import { callTwins, demo, openTwinChat } from "../../delivery/index.ts";
import type { ArticleRun } from "../articles/article-run.ts";
import { orderArticle } from "../articles/order-article.ts";
import { addCategory } from "../categories/categories.ts";
import { givenClusters } from "../categories/given-clusters.ts";
import { addClusters } from "../categories/keywords.ts";
import { setPrices } from "../categories/lists.ts";
import { givenKeywords } from "../categories/shape.ts";
import { connectPlatform } from "../connections/connect.ts";
import type { SeoDeps } from "../parts.ts";
import { meet } from "../people/people.ts";
import { addProject } from "../projects/projects.ts";
import type { Runs } from "../runs/create-runs.ts";
import type { Sources } from "../sources/index.ts";
import { demoBusiness } from "./demo-business.ts";

interface SeedBusinessDeps extends SeoDeps {
  readonly runs: Runs;
  readonly sources: Sources;
  readonly kinds: { readonly article: ArticleRun };
}

const whose = { workspaceId: demo.workspaceId, userId: demoBusiness.userId };

/** Adds the demo's business with its site and orders its first article, which is published without a review. Idempotent. */
export async function seedBusiness(deps: SeedBusinessDeps, twinsUrl: string): Promise<void> {
  const known = await deps.sql`
    select from seo.projects where workspace_id = ${whose.workspaceId} and user_id = ${whose.userId} limit 1`;
  await introduceSite(twinsUrl);
  await introduceChannel(twinsUrl);
  if (known.length > 0) return;

  const { project, category, site, telegram } = demoBusiness;
  await meet(deps, whose, { firstName: "Лавка", language: "ru" });
  const { id: projectId } = await addProject(deps, whose, project);
  const { id: categoryId } = await addCategory(deps, whose, projectId, {
    name: category.name,
    description: category.description,
  });
  await setPrices(deps, whose, categoryId, category.prices);
  const { clusters = [] } = givenKeywords.parse({ clusters: category.clusters });
  await addClusters(deps, whose, categoryId, givenClusters(clusters));
  const { id: connectionId } = await connectPlatform(deps, whose, projectId, {
    platform_type: "wordpress",
    fields: { url: site.address, login: site.login, app_password: site.appPassword },
  });
  await connectPlatform(deps, whose, projectId, {
    platform_type: "telegram",
    fields: { token: telegram.bot.token },
    target: telegram.channel.chat,
  });
  await orderArticle(deps, deps.kinds.article, whose, categoryId, {
    ...{ connectionId, origin: "schedule", requestKey: "demo" },
  });
}

/** The site with a few pages of its own, which articles can link to. */
async function introduceSite(twinsUrl: string): Promise<void> {
  const { name, title, tagline, login, appPassword, pages } = demoBusiness.site;
  const owner = { login, name: title, role: "administrator", passwords: [appPassword] };
  await callTwins(twinsUrl, "POST", "/_control/wordpress/sites", {
    ...{ name, title, tagline, locale: "ru_RU", plugins: ["yoast"], users: [owner] },
  });
  const path = `/wordpress/${name}/wp-json/wp/v2/posts`;
  const known = await callTwins(twinsUrl, "GET", `${path}?per_page=1`);
  if (Array.isArray(known) && known.length > 0) return;
  const authorization = `Basic ${Buffer.from(`${login}:${appPassword}`).toString("base64")}`;
  for (const page of pages)
    await callTwins(twinsUrl, "POST", path, { ...page, status: "publish" }, { authorization });
}

async function introduceChannel(twinsUrl: string): Promise<void> {
  const { bot, channel } = demoBusiness.telegram;
  await callTwins(twinsUrl, "POST", "/_control/telegram/bots", {
    ...{ token: bot.token, username: bot.username, first_name: bot.title },
  });
  await openTwinChat(twinsUrl, { ...channel, platform: "telegram", bot: bot.username });
}
