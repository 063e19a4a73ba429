import { z } from "zod";
import type { App } from "../../http/index.ts";
import { traceOf } from "../advisor-settings.ts";
import { aUser } from "../ask/ask-body.ts";
import type { AdvisorDeps } from "../deps.ts";
import { removeFiles } from "../media/remove-files.ts";
import { petNotFound } from "../pets/read-pets.ts";
import { errorBody } from "../v1/error-response.ts";
import { badRequest } from "../v1/refusal.ts";
import { findUser } from "./user.ts";

/** `POST /v1/data/delete`: deletes all data of a person, or of one pet. Idempotent. */
export function deletionRoute(app: App, deps: AdvisorDeps): void {
  const { sql, clock, gateway, settings, workspaceId } = deps;
  app.post(
    "/v1/data/delete",
    {
      schema: {
        tags: ["advisor"],
        summary: "Delete the data of a person or of one pet: sessions, history, files and stored answers",
        security: [{ advisorToken: [] }],
        body: z.object({
          user: aUser,
          scope: z.enum(["all", "pet"]),
          pet_id: z.uuid().nullish().describe("Required with scope pet"),
        }),
        response: { 200: z.object({ deleted: z.literal(true) }), default: errorBody },
      },
    },
    async (request) => {
      const { user: given, scope, pet_id: petId } = request.body;
      const [workspace, now] = [await workspaceId(), clock.now()];
      const user = await findUser(sql, workspace, given.telegram_user_id);
      if (scope === "all") {
        if (user) {
          // The person's row is deleted last, so that a retry after a failure finds what is left.
          await gateway.forgetUser(workspace, `advisor:${user.id}`);
          const trace = traceOf(settings, given.telegram_user_id);
          await sql`select advisor.forget_user(${workspace}, ${user.id}, ${trace}, ${now})`;
        }
      } else {
        if (!petId) throw badRequest("missing_pet_id", "Name the pet: pet_id.");
        const [row] = user
          ? await sql<
              { gone: number }[]
            >`select advisor.forget_pet(${workspace}, ${user.id}, ${petId}, ${now}) as gone`
          : [];
        if (!row?.gone) throw petNotFound();
      }
      await removeFiles(deps);
      return { deleted: true as const };
    },
  );
}
