import { z } from "zod";
import type { App } from "../../http/index.ts";
import { aUser } from "../ask/ask-body.ts";
import { limitsOf, limitsShape, researchOf, researchShape } from "../ask/quota.ts";
import type { AdvisorDeps } from "../deps.ts";
import { listPets } from "../pets/read-pets.ts";
import { errorBody } from "../v1/error-response.ts";
import { findUser, quotaFor, type User } from "./user.ts";

/** Query values are strings. */
export const idInQuery = z
  .string()
  .regex(/^\d{1,16}$/, "Digits only")
  .transform(Number)
  .refine((id) => id > 0 && id <= 2 ** 52, "Not an id of Telegram");

const security = [{ advisorToken: [] }];
const tags = ["advisor"];
const consents = z.object({ terms_accepted: z.boolean(), data_policy_accepted: z.boolean() });

export function peopleRoutes(app: App, { sql, clock, settings, workspaceId }: AdvisorDeps): void {
  app.get(
    "/v1/me",
    {
      schema: {
        ...{ tags, security },
        summary: "Plan, limits, pets and consents of a person; unknown people are on Free",
        querystring: z.object({ telegram_user_id: idInQuery }),
        response: {
          200: z
            .object({
              plan: z.enum(["free", "pro"]),
              plan_until: z.date().nullable().describe("When a paid plan ends"),
              limits: limitsShape,
              pets: z.array(z.object({ id: z.string(), type: z.string(), name: z.string().nullable() })),
              consents,
              research: researchShape,
            })
            .meta({ id: "AdvisorProfile" }),
          default: errorBody,
        },
      },
    },
    async (request) => {
      const { telegram_user_id: telegramUserId } = request.query;
      const workspace = await workspaceId();
      const user = await findUser(sql, workspace, telegramUserId);
      const now = clock.now();
      const quota = await quotaFor(sql, workspace, telegramUserId, settings, now);
      const pets = user ? await listPets(sql, workspace, user.id) : [];
      return {
        plan: quota.plan,
        plan_until: quota.plan === "pro" ? (user?.plan_until ?? null) : null,
        limits: limitsOf(quota, now),
        pets: pets.map(({ id, type, name }) => ({ id, type, name })),
        consents: consentsOf(user),
        research: researchOf(quota),
      };
    },
  );

  app.post(
    "/v1/consents",
    {
      schema: {
        ...{ tags, security },
        summary: "Record a person's consents or their withdrawal",
        body: z.object({
          user: aUser,
          terms_accepted: z.boolean().optional(),
          data_policy_accepted: z.boolean().optional(),
        }),
        response: { 200: z.object({ consents }), default: errorBody },
      },
    },
    async (request) => {
      const { user, terms_accepted: terms, data_policy_accepted: data } = request.body;
      const [workspace, now] = [await workspaceId(), clock.now()];
      return sql.begin(async (tx) => {
        const [known] = await tx<{ id: string }[]>`
          select id from advisor.lock_user(${workspace}, ${user.telegram_user_id}, ${user.locale ?? null}, ${now})`;
        // The date of the first consent is kept.
        await tx`
          update advisor.users set
            terms_accepted_at = case ${terms ?? null}::boolean when true then coalesce(terms_accepted_at, ${now})
              when false then null else terms_accepted_at end,
            data_policy_accepted_at = case ${data ?? null}::boolean when true then coalesce(data_policy_accepted_at, ${now})
              when false then null else data_policy_accepted_at end
          where workspace_id = ${workspace} and id = ${known?.id ?? null}`;
        return { consents: consentsOf(await findUser(tx, workspace, user.telegram_user_id)) };
      });
    },
  );
}

function consentsOf(user: User | undefined) {
  return {
    terms_accepted: user?.terms_accepted_at != null,
    data_policy_accepted: user?.data_policy_accepted_at != null,
  };
}
