import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { AdvisorDeps } from "../deps.ts";
import { requirePet } from "../pets/read-pets.ts";
import type { Subject } from "../subject/subject.ts";
import { errorBody } from "../v1/error-response.ts";
import { idInQuery } from "./me-routes.ts";
import { findUser, requirePro } from "./user.ts";

const count = z
  .string()
  .regex(/^\d{1,3}$/, "A whole number from 1 to 100")
  .transform(Number)
  .refine((number) => number >= 1 && number <= 100, "A whole number from 1 to 100");

const item = z.object({ id: z.string(), created_at: z.date(), topic: z.string(), summary: z.string() });

export function historyRoute(app: App, { sql, workspaceId }: AdvisorDeps, subject: Subject): void {
  app.get(
    "/v1/history",
    {
      schema: {
        tags: ["advisor"],
        summary: "Summaries of a Pro user's earlier questions, newest first",
        security: [{ advisorToken: [] }],
        querystring: z.object({
          telegram_user_id: idInQuery,
          pet_id: z.uuid().optional(),
          limit: count.optional().describe("Default: 20, at most 100"),
        }),
        response: {
          200: z.object({ items: z.array(item) }),
          default: errorBody,
        },
      },
    },
    async (request) => {
      const { telegram_user_id: telegramUserId, pet_id: petId, limit = 20 } = request.query;
      const workspace = await workspaceId();
      const user = requirePro(await findUser(sql, workspace, telegramUserId), "history", subject);
      if (petId) await requirePet(sql, workspace, user.id, petId);
      const items = await sql<z.output<typeof item>[]>`
        select id, created_at, topic, summary from advisor.interactions
        where workspace_id = ${workspace} and user_id = ${user.id} ${petId ? sql`and pet_id = ${petId}` : sql``}
        order by created_at desc, id desc limit ${limit}`;
      return { items: [...items] };
    },
  );
}
