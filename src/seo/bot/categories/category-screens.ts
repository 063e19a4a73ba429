import { pageOf, pager, type ScreenKey, type View } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { categoryPage, readCategory } from "../../categories/categories.ts";
import type { Category } from "../../categories/shape.ts";
import { connectionPage } from "../../connections/connections.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { readProject } from "../../projects/projects.ts";
import { connectionName } from "../connections/place-name.ts";
import { type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { daysText, forecastOf } from "./forecast.ts";

/** More than any project has; the list is paged by eight. */
const most = 200;
/** A message has at most a hundred buttons. */
const mostConnections = 40;
const longestLabel = 60;

const listTargets = [
  ...["project:{id}:categories:{page}", "category:{id}:card", "project:{id}:category:new"],
  ...["project:{id}:card", "dashboard"],
];

export const categoryList = screen("project:{id}:categories", {
  to: listTargets,
  show: ({ id }, visit) => listOf(id, 1, visit),
});
export const categoryListPage = screen("project:{id}:categories:{page}", {
  to: listTargets,
  show: ({ id, page }, visit) => listOf(id, page, visit),
});

async function listOf(projectId: number, wanted: number, visit: BotVisit): Promise<View | undefined> {
  const { categories, common } = texts[visit.language];
  const say = categories.list;
  const { sql } = inStep(visit);
  const whose = whoseOf(visit);
  const project = await ifFound(() => readProject(sql, whose, projectId));
  if (!project) return undefined;
  const { items } = await categoryPage(sql, whose, projectId, { limit: most });
  const page = pageOf(items, wanted);
  const title = say.title(project.name, items.length);
  return {
    text: items.length === 0 ? `${title}\n\n${say.empty}` : title,
    buttons: [
      ...page.items.map(({ id, name }) => [{ label: cut(name, longestLabel), to: `category:${id}:card` }]),
      pager(page, (each) => `project:${projectId}:categories:${each}`),
      [{ label: say.create, to: `project:${projectId}:category:new`, style: "success" }],
      [
        { label: common.toProject, to: `project:${projectId}:card` },
        { label: common.mainMenu, to: "dashboard" },
      ],
    ],
  };
}

export const categoryCard = screen("category:{id}:card", {
  to: [
    ...["pipeline:article:category:{id}", "category:{id}:keywords", "category:{id}:description"],
    ...["category:{id}:prices", "category:{id}:media", "category:{id}:content", "category:{id}:reviews"],
    ...["category:{id}:connection:{connection}:menu", "category:{id}:scheduler", "category:{id}:rename"],
    ...["category:{id}:delete", "project:{id}:categories", "project:{id}:connections", "dashboard"],
  ],
  async show({ id }, visit) {
    const { sql, sampleReviews } = inStep(visit);
    const whose = whoseOf(visit);
    const category = await ifFound(() => readCategory(sql, whose, id));
    if (!category) return undefined;
    const { items: connections } = await connectionPage(sql, whose, category.project_id, {
      limit: mostConnections,
    });
    return {
      text: await cardText(category, visit),
      buttons: cardButtons(category, connections, { language: visit.language, sampleReviews }),
    };
  },
});

async function cardText(category: Category, visit: BotVisit): Promise<string> {
  const { categories, common } = texts[visit.language];
  const say = categories.card;
  const { schedules, tokensPerWeek } = await forecastOf(visit, category.id);
  return [
    category.name,
    "",
    say.phrases(category.clusters, category.phrases),
    say.description(category.description !== null),
    say.prices(category.prices),
    say.media(category.media),
    ...(visit.services.sampleReviews ? [say.reviews(category.reviews)] : []),
    say.settings(category.own_settings),
    ...(schedules.length === 0 ? [say.noSchedule] : []),
    ...schedules.map(({ place, days, times }) =>
      say.schedule(place, daysText(days, visit.language), times.join(", ")),
    ),
    ...(schedules.length > 0 ? [say.forecast(common.tokens(tokensPerWeek))] : []),
    "",
    category.phrases === 0 ? say.needsPhrases : say.next,
  ].join("\n");
}

function cardButtons(
  { id, project_id: projectId, phrases }: Category,
  connections: readonly SeoConnection[],
  { language, sampleReviews }: { language: keyof typeof texts; sampleReviews: boolean },
): ScreenKey[][] {
  const { categories, common } = texts[language];
  const say = categories.card;
  const to = (what: string) => `category:${id}:${what}`;
  const keywords: ScreenKey = { label: say.toKeywords, to: to("keywords") };
  const article: ScreenKey = { label: say.article, to: `pipeline:article:category:${id}` };
  return [
    // What helps most comes first: without phrases there is nothing to write about.
    [{ ...(phrases === 0 ? keywords : article), style: "primary" }],
    [phrases === 0 ? article : keywords, { label: say.toDescription, to: to("description") }],
    [
      { label: say.toPrices, to: to("prices") },
      { label: say.toMedia, to: to("media") },
    ],
    [
      { label: say.toContent, to: to("content") },
      ...(sampleReviews ? [{ label: say.toReviews, to: to("reviews") }] : []),
    ],
    ...connections.map((connection) => [
      { label: connectionName(connection), to: to(`connection:${connection.id}:menu`) },
    ]),
    ...(connections.length === 0 ? [[{ label: say.connect, to: `project:${projectId}:connections` }]] : []),
    [
      { label: say.toScheduler, to: to("scheduler") },
      { label: say.rename, to: to("rename") },
    ],
    [{ label: say.remove, to: to("delete"), style: "danger" }],
    [
      { label: common.toCategories, to: `project:${projectId}:categories` },
      { label: common.mainMenu, to: "dashboard" },
    ],
  ];
}
