import { type Guest, grid, pageOf, pager, type View } from "../../../dialogs/index.ts";
import { connectionPage } from "../../connections/connections.ts";
import { readProject } from "../../projects/projects.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { platformTypes } from "../../settings/shape.ts";
import { type BotServices, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { connectionName } from "./place-name.ts";

const most = 200;

const to = [
  ...["connection:{id}:card", "project:{id}:connect:{@platform}", "project:{id}:connections:{page}"],
  ...["project:{id}:card", "dashboard"],
];

/** The connections of a project, and a button for each platform that can be added. */
export const connectionList = screen("project:{id}:connections", {
  to,
  show: ({ id }, visit) => show(id, 1, visit),
});

export const connectionListPage = screen("project:{id}:connections:{page}", {
  to,
  show: ({ id, page }, visit) => show(id, page, visit),
});

async function show(id: number, wanted: number, visit: Guest<BotServices>): Promise<View | undefined> {
  const { sql } = inStep(visit);
  const whose = whoseOf(visit);
  const { connections: say, common } = texts[visit.language];
  const project = await ifFound(() => readProject(sql, whose, id));
  if (!project) return undefined;
  const { items } = await connectionPage(sql, whose, id, { limit: most });
  const page = pageOf(items, wanted);
  const lines = page.items.map(
    (each) => `${say.marks[each.status]} ${connectionName(each)} — ${say.statuses[each.status]}`,
  );
  return {
    text: [
      say.list.title(project.name, items.length),
      ...(items.length === 0 ? [say.list.empty] : [lines.join("\n"), say.list.next]),
    ].join("\n\n"),
    buttons: [
      ...page.items.map((each) => [
        { label: `${say.marks[each.status]} ${connectionName(each)}`, to: `connection:${each.id}:card` },
      ]),
      pager(page, (each) => `project:${id}:connections:${each}`),
      ...grid(
        platformTypes.map((each) => ({
          label: say.list.add(platformNames[each]),
          to: `project:${id}:connect:${each}`,
        })),
        2,
      ),
      [
        { label: common.toProject, to: `project:${id}:card` },
        { label: common.mainMenu, to: "dashboard" },
      ],
    ],
  };
}
