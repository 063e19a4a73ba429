import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { EstimateDeps } from "../estimates/estimate.ts";
import type { SeoDeps } from "../parts.ts";
import { person, personRoutes, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { notFound } from "../problems.ts";
import { planOf } from "./plan.ts";
import { allSchedules, deleteSchedule, readSchedule, saveSchedule } from "./schedules.ts";
import { planDays, planSchema, scheduleSchema, wantedSchedule } from "./shape.ts";

export function scheduleRoutes(app: App, deps: SeoDeps & EstimateDeps): void {
  const routes = personRoutes(app, deps);
  const params = z.object({ ...person, category_id: idText, connection_id: idText });
  const placeOf = (asked: { readonly params: z.infer<typeof params> }) => ({
    categoryId: asked.params.category_id,
    connectionId: asked.params.connection_id,
  });
  routes.get(
    "/plan",
    {
      scope: "read",
      summary: "What schedules will publish, what it costs and whether the balance carries it",
      params: z.object(person),
      query: {
        from: z.coerce.date().optional().describe("Now unless given"),
        days: z.coerce.number().int().min(1).max(planDays.most).optional().describe("7 unless given"),
      },
      answer: planSchema,
    },
    (asked) => planOf(deps, whoseOf(asked), asked.query),
  );
  routes.get(
    "/schedules",
    {
      scope: "read",
      summary: "All schedules of a person",
      params: z.object(person),
      answer: z.object({ items: z.array(scheduleSchema) }),
    },
    async (asked) => ({ items: (await allSchedules(deps.sql, whoseOf(asked))).map(plainly) }),
  );
  routes.put(
    "/categories/:category_id/connections/:connection_id/schedule",
    {
      scope: "write",
      summary: "Set when a category is published to a connection",
      params,
      body: wantedSchedule,
      answer: scheduleSchema,
    },
    async (asked) => plainly(await saveSchedule(deps, whoseOf(asked), placeOf(asked), asked.body)),
  );
  routes.delete(
    "/categories/:category_id/connections/:connection_id/schedule",
    { scope: "write", summary: "Delete a schedule; what was published stays", params },
    async ({ dryRun, ...asked }) => {
      const [whose, place] = [whoseOf(asked), placeOf(asked)];
      if (!(await readSchedule(deps.sql, whose, place))) throw notFound("schedule", asked.params.category_id);
      if (!dryRun) await deleteSchedule(deps, whose, place);
    },
  );
}

type Shown = z.infer<typeof scheduleSchema>;
const plainly = (schedule: Awaited<ReturnType<typeof saveSchedule>>): Shown => ({
  ...schedule,
  ...{ days: [...schedule.days], times: [...schedule.times] },
  cross_post_connection_ids: [...schedule.cross_post_connection_ids],
});
