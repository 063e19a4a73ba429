/** What is published by itself: by category, and for a category by connection. */
import { type Guest, pageOf, pager, type View } from "../../../dialogs/index.ts";
import { categoryPage, readCategory } from "../../categories/categories.ts";
import { connectionPage } from "../../connections/connections.ts";
import { readProject } from "../../projects/projects.ts";
import { schedulesOf } from "../../schedules/schedules.ts";
import { leftToday, nextOf } from "../../schedules/times.ts";
import { connectionName } from "../connections/place-name.ts";
import { zoneLabel } from "../projects/time-zones.ts";
import { type BotServices, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

const most = 200;

const ofProject = [
  ...["category:{id}:scheduler", "project:{id}:scheduler:{page}", "project:{id}:category:new"],
  ...["project:{id}:plan", "project:{id}:card", "dashboard"],
];

export const projectScheduler = screen("project:{id}:scheduler", {
  to: ofProject,
  show: ({ id }, visit) => showProject(id, 1, visit),
});

export const projectSchedulerPage = screen("project:{id}:scheduler:{page}", {
  to: ofProject,
  show: ({ id, page }, visit) => showProject(id, page, visit),
});

async function showProject(id: number, wanted: number, visit: Guest<BotServices>): Promise<View | undefined> {
  const { sql } = inStep(visit);
  const whose = whoseOf(visit);
  const project = await ifFound(() => readProject(sql, whose, id));
  if (!project) return undefined;
  const { schedule, common } = texts[visit.language];
  const say = schedule.project;
  const { items } = await categoryPage(sql, whose, id, { limit: most });
  const page = pageOf(items, wanted);
  const lines = page.items.map((each) => say.line(each.name, each.schedules)).join("\n");
  return {
    text: [say.title(project.name), items.length === 0 ? say.empty : `${lines}\n\n${say.question}`].join(
      "\n\n",
    ),
    buttons: [
      ...page.items.map((each) => [{ label: each.name, to: `category:${each.id}:scheduler` }]),
      pager(page, (each) => `project:${id}:scheduler:${each}`),
      ...(items.length === 0
        ? [[{ label: say.newCategory, to: `project:${id}:category:new`, style: "success" as const }]]
        : [[{ label: schedule.week.open, to: `project:${id}:plan` }]]),
      [
        { label: common.toProject, to: `project:${id}:card` },
        { label: common.mainMenu, to: "dashboard" },
      ],
    ],
  };
}

const ofCategory = [
  ...["category:{id}:connection:{connection}:schedule", "category:{id}:scheduler:{page}"],
  ...["project:{id}:connections", "project:{id}:scheduler", "category:{id}:card"],
];

export const categoryScheduler = screen("category:{id}:scheduler", {
  to: ofCategory,
  show: ({ id }, visit) => showCategory(id, 1, visit),
});

export const categorySchedulerPage = screen("category:{id}:scheduler:{page}", {
  to: ofCategory,
  show: ({ id, page }, visit) => showCategory(id, page, visit),
});

async function showCategory(
  id: number,
  wanted: number,
  visit: Guest<BotServices>,
): Promise<View | undefined> {
  const { sql } = inStep(visit);
  const whose = whoseOf(visit);
  const category = await ifFound(() => readCategory(sql, whose, id));
  if (!category) return undefined;
  const { schedule, common } = texts[visit.language];
  const say = schedule.category;
  const { timezone } = await readProject(sql, whose, category.project_id);
  const { items } = await connectionPage(sql, whose, category.project_id, { limit: most });
  const set = (await schedulesOf(sql, whose, { categoryId: id })).filter(({ enabled }) => enabled);
  const named = new Map(items.map((each) => [each.id, connectionName(each)]));
  const nameOf = ({ connection_id }: { readonly connection_id: number }) => named.get(connection_id) ?? "";
  const today = set
    .flatMap((each) => leftToday(each, timezone, visit.now).map((time) => `${time} — ${nameOf(each)}`))
    .toSorted();
  const [next] = set
    .flatMap((each) => {
      const due = nextOf(each, timezone, visit.now);
      return due ? [{ ...due, name: nameOf(each) }] : [];
    })
    .toSorted((one, other) => one.inDays - other.inDays || one.time.localeCompare(other.time));
  const page = pageOf(items, wanted);
  const parts = [
    say.title(category.name),
    ...(set.length === 0
      ? [schedule.none]
      : [
          today.length === 0 ? say.nothingToday : say.today(today.join("\n")),
          ...(next
            ? [schedule.next(`${schedule.when(next.inDays, next.day, next.time)} — ${next.name}`)]
            : []),
        ]),
    schedule.zone(zoneLabel(timezone, visit.language, visit.now)),
    items.length === 0 ? say.noConnections : say.question,
  ];
  return {
    text: parts.join("\n\n"),
    buttons: [
      ...page.items.map((each) => {
        const isOn = set.some(({ connection_id }) => connection_id === each.id);
        const label = isOn ? `✓ ${connectionName(each)}` : connectionName(each);
        return [{ label, to: `category:${id}:connection:${each.id}:schedule` }];
      }),
      pager(page, (each) => `category:${id}:scheduler:${each}`),
      ...(items.length === 0
        ? [
            [
              {
                label: say.connect,
                to: `project:${category.project_id}:connections`,
                style: "primary" as const,
              },
            ],
          ]
        : []),
      [
        { label: say.toScheduler, to: `project:${category.project_id}:scheduler` },
        { label: common.toCategory, to: `category:${id}:card` },
      ],
    ],
  };
}
