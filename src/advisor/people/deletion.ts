import { z } from "zod";
import type { App } from "../../http/index.ts";
import { aUser } from "../ask/body.ts";
import type { AdvisorDeps } from "../deps.ts";
import { errorBody } from "../door/answer-error.ts";
import { Refusal } from "../door/refusal.ts";
import { removeFiles } from "../media/remove-files.ts";
import { traceOf } from "../settings.ts";
import { findUser } from "./user.ts";

/** `POST /v1/data/delete`: everything of a person, or everything about one of their pets. Asking twice is fine. */
export function deletionRoute(app: App, deps: AdvisorDeps): void {
  const { sql, clock, gateway, settings, workspaceId } = deps;
  app.post(
    "/v1/data/delete",
    {
      schema: {
        tags: ["advisor"],
        summary: "Delete what is kept of a person, or of one pet: talks, history, files and stored answers",
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
          // The person's row goes last: whoever asks again after a failure in between still finds what is left to do.
          await gateway.forgetUser(workspace, `advisor:${user.id}`);
          const trace = traceOf(settings, given.telegram_user_id);
          await sql`select advisor.forget_user(${workspace}, ${user.id}, ${trace}, ${now})`;
        }
      } else {
        if (!petId) throw new Refusal("bad_request", "missing_pet_id", "Name the pet: pet_id.");
        const [row] = user
          ? await sql<
              { gone: number }[]
            >`select advisor.forget_pet(${workspace}, ${user.id}, ${petId}, ${now}) as gone`
          : [];
        if (!row?.gone) throw new Refusal("not_found", "pet_not_found", "There is no such pet of this user.");
      }
      await removeFiles(deps);
      return { deleted: true as const };
    },
  );
}
