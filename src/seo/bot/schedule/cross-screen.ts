/** To which other networks the posts of a schedule are adapted. */
import type { Guest } from "../../../dialogs/index.ts";
import { connectionPage } from "../../connections/connections.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { readSchedule, setCrossPosts } from "../../schedules/schedules.ts";
import { connectionName } from "../connections/place-name.ts";
import { bothOf } from "../connections/platform-menu.ts";
import { action, type BotServices, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";

type Visit = Guest<BotServices>;

/** More than a project has; a schedule takes ten. */
const most = 200;
const mostShown = 10;

export const crossScreen = screen("category:{id}:connection:{connection}:cross", {
  to: [
    "cross:{category}:{connection}:{other}",
    "project:{id}:connections",
    "category:{id}:connection:{connection}:schedule",
  ],
  async show({ id, connection: connectionId }, visit) {
    const found = await bothOf(id, connectionId, visit);
    const schedule = await readSchedule(visit.sql, whoseOf(visit), { categoryId: id, connectionId });
    if (!found || !schedule) return undefined;
    const { category, connection } = found;
    const { schedule: say, common } = texts[visit.language];
    const others = await otherNetworks(visit, connection);
    const chosen = schedule.cross_post_connection_ids;
    return {
      text: [
        say.cross.title(category.name, connectionName(connection)),
        others.length === 0 ? say.cross.none : say.cross.question,
      ].join("\n\n"),
      buttons: [
        ...others.slice(0, mostShown).map((each) => [
          {
            label: `${chosen.includes(each.id) ? "✓ " : ""}${connectionName(each)}`,
            to: `cross:${id}:${connectionId}:${each.id}`,
          },
        ]),
        ...(others.length === 0
          ? [[{ label: say.category.connect, to: `project:${category.project_id}:connections` }]]
          : []),
        [{ label: common.back, to: `category:${id}:connection:${connectionId}:schedule` }],
      ],
    };
  },
});

/** Adds a network or takes it out. */
export const crossChosen = action("cross:{category}:{connection}:{other}", {
  to: ["category:{id}:connection:{connection}:cross"],
  async act({ category, connection, other }, visit) {
    const place = { categoryId: category, connectionId: connection };
    const schedule = await readSchedule(visit.sql, whoseOf(visit), place);
    if (!schedule) return undefined;
    const chosen = schedule.cross_post_connection_ids;
    const wanted = chosen.includes(other) ? chosen.filter((each) => each !== other) : [...chosen, other];
    const kept = await ifFound(() =>
      attempted(() => setCrossPosts(inStep(visit), whoseOf(visit), place, wanted)),
    );
    if (!kept) return undefined;
    return {
      to: `category:${category}:connection:${connection}:cross`,
      ...(!kept.ok && { notice: saidOf(kept.problem, visit.language) }),
    };
  },
});

/** Networks of the project that take posts of this one. */
export async function otherNetworks(visit: Visit, connection: SeoConnection): Promise<SeoConnection[]> {
  if (connection.platform_type === "wordpress") return [];
  const { items } = await connectionPage(inStep(visit).sql, whoseOf(visit), connection.project_id, {
    limit: most,
  });
  return items.filter(({ id, platform_type }) => id !== connection.id && platform_type !== "wordpress");
}
