import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { aUser } from "../ask/ask-body.ts";
import type { AdvisorDeps } from "../deps.ts";
import { errorBody } from "../v1/error-response.ts";

const paidPlan = z.object({
  plan: z.enum(["free", "pro"]),
  plan_until: z.date().nullable().describe("Null for Free, and for Pro that an operator set"),
});

/** `POST /v1/plan`: whoever sells Pro says until when it is paid for. Idempotent; what an operator set stays. */
export function paidPlanRoute(app: App, { sql, clock, workspaceId }: AdvisorDeps): void {
  app.post(
    "/v1/plan",
    {
      schema: {
        ...{ tags: ["advisor"], security: [{ advisorToken: [] }] },
        summary: "Tell until when a person has paid for Pro; it ends then by itself",
        body: z.object({
          user: aUser,
          paid_until: z.iso
            .datetime({ offset: true })
            .nullable()
            .describe("Null, or a time that has passed: not paid for any more"),
        }),
        response: { 200: paidPlan, default: errorBody },
      },
    },
    async (request) => {
      const { user, paid_until: until } = request.body;
      const [row] = await sql<[z.output<typeof paidPlan>]>`
        select plan, plan_until from advisor.set_paid_plan(${await workspaceId()}, ${user.telegram_user_id},
          ${until === null ? null : new Date(until)}, ${clock.now()})`;
      return row;
    },
  );
}

export async function endPaidPlans(sql: Sql, now: Date): Promise<void> {
  await sql`select advisor.end_paid_plans(${now})`;
}
