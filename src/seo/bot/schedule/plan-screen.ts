/** What will be published by itself within a week, and whether the balance carries it. */
import { cut } from "../../../kernel/words/index.ts";
import { readProject } from "../../projects/projects.ts";
import { planOf } from "../../schedules/plan.ts";
import type { Planned } from "../../schedules/shape.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { zoneLabel } from "../projects/time-zones.ts";
import { inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

/** A message has room for about so many lines. */
const most = 30;

export const planScreen = screen("project:{id}:plan", {
  to: ["project:{id}:scheduler", "project:{id}:card", "tariffs"],
  async show({ id }, visit) {
    const services = inStep(visit);
    const whose = whoseOf(visit);
    const project = await ifFound(() => readProject(services.sql, whose, id));
    if (!project) return undefined;
    const { schedule, common } = texts[visit.language];
    const say = schedule.week;
    const plan = await planOf(services, whose, { projectId: id, from: visit.now });
    const isShort = plan.items.some(({ is_covered }) => !is_covered);
    const line = ({ due_at, platform, category, tokens, is_covered }: Planned) =>
      say.line(
        say.when(due_at, project.timezone),
        `${cut(category, 40)} → ${platformNames[platform]}`,
        tokens,
        is_covered,
      );
    return {
      text: [
        say.title(project.name),
        "",
        ...(plan.items.length === 0 ? [say.empty] : plan.items.slice(0, most).map(line)),
        ...(plan.items.length > most ? [say.more(plan.items.length - most)] : []),
        "",
        ...(plan.items.length > 0
          ? [plan.is_free ? say.free(plan.tokens) : say.sum(plan.tokens, plan.balance)]
          : []),
        ...(isShort ? [say.short] : []),
        schedule.zone(zoneLabel(project.timezone, visit.language, visit.now)),
      ].join("\n"),
      buttons: [
        ...(isShort ? [[{ label: say.topUp, to: "tariffs", style: "primary" as const }]] : []),
        [
          { label: schedule.category.toScheduler, to: `project:${id}:scheduler` },
          { label: common.toProject, to: `project:${id}:card` },
        ],
      ],
    };
  },
});
