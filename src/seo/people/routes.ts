import { z } from "zod";
import type { App } from "../../http/index.ts";
import { noteReadingBy, reason, workspaceRoutes } from "../../workspaces/index.ts";
import { meet, type PeopleDeps, readUser, setNotifications, userPage } from "./people.ts";
import { person, personRoutes, readFor, whoseOf } from "./person-routes.ts";
import { notificationChanges, userSchema } from "./shape.ts";

export function peopleRoutes(app: App, deps: PeopleDeps): void {
  const { sql, clock } = deps;
  const params = z.object(person);
  workspaceRoutes(app, sql, { under: "/api/v1/seo", tag: "seo" }).list(
    "/users",
    {
      scope: "people",
      summary: "People of SEO Master, the newest first; each reading is recorded",
      item: userSchema,
    },
    async ({ workspaceId, page, request }) => {
      const people = await userPage(sql, workspaceId, page);
      const meta = { object: "seo_users", count: people.items.length };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return people;
    },
  );
  const routes = personRoutes(app, deps);
  routes.get(
    "",
    { scope: "people", summary: "One person; each reading is recorded", params, answer: userSchema },
    async (asked) => readUser(sql, await readFor(deps, asked, "user")),
  );
  routes.put(
    "",
    {
      scope: "write",
      summary: "Create a person, with the welcome bonus, as the first message would; one who is there stays",
      params,
      body: z.strictObject({
        username: z.string().max(255).optional(),
        first_name: z.string().max(255).optional(),
        last_name: z.string().max(255).optional(),
        language: z.enum(["ru", "en"]).optional(),
        referrer_id: z.int().positive().optional().describe("Who brought them; taken at the first time only"),
        reason: reason.optional(),
      }),
      answer: userSchema.extend({ is_new: z.boolean() }),
    },
    async (asked) => {
      const {
        username,
        first_name: firstName,
        last_name: lastName,
        language,
        referrer_id: referrerId,
      } = asked.body;
      const { user, isNew } = await meet(deps, whoseOf(asked), {
        username,
        firstName,
        lastName,
        language,
        referrerId,
      });
      return { ...user, is_new: isNew };
    },
  );
  routes.patch(
    "",
    {
      scope: "write",
      summary: "Switch a person's notifications",
      params,
      body: notificationChanges,
      answer: userSchema,
    },
    (asked) => setNotifications(deps, whoseOf(asked), asked.body, asked.by),
  );
}
