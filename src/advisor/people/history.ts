import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { AdvisorDeps } from "../deps.ts";
import { errorBody } from "../door/answer-error.ts";
import { Refusal } from "../door/refusal.ts";
import { readPet } from "../pets/pets.ts";
import type { Subject } from "../subject/subject.ts";
import { idInQuery } from "./me.ts";
import { findUser, requirePro } from "./user.ts";

const count = z
  .string()
  .regex(/^\d{1,3}$/, "A whole number from 1 to 100")
  .transform(Number)
  .refine((number) => number >= 1 && number <= 100, "A whole number from 1 to 100");

interface Item {
  readonly id: string;
  readonly created_at: Date;
  readonly topic: string;
  readonly summary: string;
}

export function historyRoute(app: App, { sql, workspaceId }: AdvisorDeps, subject: Subject): void {
  app.get(
    "/v1/history",
    {
      schema: {
        tags: ["advisor"],
        summary: "What a person on Pro asked before, in short, the newest first",
        security: [{ advisorToken: [] }],
        querystring: z.object({
          telegram_user_id: idInQuery,
          pet_id: z.uuid().optional(),
          limit: count.optional().describe("20 unless given, 100 at most"),
        }),
        response: {
          200: z.object({
            items: z.array(
              z.object({ id: z.string(), created_at: z.date(), topic: z.string(), summary: z.string() }),
            ),
          }),
          default: errorBody,
        },
      },
    },
    async (request) => {
      const { telegram_user_id: telegramUserId, pet_id: petId, limit = 20 } = request.query;
      const workspace = await workspaceId();
      const user = requirePro(await findUser(sql, workspace, telegramUserId), "history", subject);
      if (petId && !(await readPet(sql, workspace, user.id, petId)))
        throw new Refusal("not_found", "pet_not_found", "There is no such pet of this user.");
      const items = await sql<Item[]>`
        select id, created_at, topic, summary from advisor.interactions
        where workspace_id = ${workspace} and user_id = ${user.id} ${petId ? sql`and pet_id = ${petId}` : sql``}
        order by created_at desc, id desc limit ${limit}`;
      return { items: [...items] };
    },
  );
}
