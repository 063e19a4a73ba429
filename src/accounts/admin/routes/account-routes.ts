import { z } from "zod";
import { type App, callerOf, wholeId } from "../../../http/index.ts";
import { deletion, pageOfAll, workspaceOf } from "../../../workspaces/index.ts";
import { paceChangesShape } from "../../governor/index.ts";
import { accountIdColumns } from "../../id-columns.ts";
import { phoneSchema, readPhone } from "../../read/phone.ts";
import { timeline, timelineSchema } from "../../read/timeline.ts";
import { whoOf } from "../access.ts";
import {
  accountChanges,
  accountSchema,
  changeAccount,
  deleteAccount,
  deletedAccount,
  listAccounts,
  readAccount,
} from "../accounts.ts";
import { adjustPace, paceSchema, readPace } from "../pace.ts";
import { rateStatus, readRate } from "../rate.ts";
import { sendTest, sentTest, testMessage } from "../test-message.ts";
import type { AccountRoutesDeps } from "./deps.ts";
import { ownersRoutes, ofAccount as params, tags, under, why } from "./request.ts";

/** Accounts themselves; signing them in has routes of its own. */
export function accountRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.list(
    "",
    {
      scope: "read",
      summary: "One's accounts with today's quota, the next task and the last error; all of them for admins",
      query: { owner: z.string().max(200).optional() },
      item: accountSchema,
    },
    async ({ workspaceId, query, page, request }) =>
      pageOfAll(await listAccounts(deps, workspaceId, whoOf(request), query), page),
  );
  routes.get(
    "/:account_id",
    { scope: "read", summary: "One account", params, answer: accountSchema },
    ({ workspaceId, params: { account_id }, request }) =>
      readAccount(deps, workspaceId, account_id, whoOf(request)),
  );
  routes.get(
    "/:account_id/phone",
    {
      scope: "people",
      summary: "The whole phone of an account; each reading is recorded",
      params,
      answer: phoneSchema,
    },
    ({ workspaceId, params: { account_id }, request }) => {
      const { kind, id } = callerOf(request);
      return readPhone(deps, workspaceId, account_id, whoOf(request), { caller: { kind, id } });
    },
  );
  routes.patch(
    "/:account_id",
    {
      scope: "write",
      summary: "Change an account's mode, limit, interval, window and zone, or switch it off",
      params,
      body: accountChanges.extend(why),
      answer: accountSchema,
    },
    ({ workspaceId, params: { account_id }, body, by, request }) =>
      changeAccount(deps, workspaceId, account_id, body, whoOf(request, by.reason)),
  );
  routes.get(
    "/:account_id/timeline",
    {
      scope: "read",
      summary: "One day of an account: what was published, what failed, what is to come",
      params,
      query: { day: z.iso.date().optional().describe("Of the account's zone; today unless given") },
      answer: timelineSchema,
    },
    ({ workspaceId, params: { account_id }, query, request }) =>
      timeline(deps, workspaceId, account_id, whoOf(request), query),
  );
  routes.get(
    "/:account_id/rate",
    {
      scope: "read",
      summary: "Whether the limiter lets the account's next message through, and when",
      params,
      answer: rateStatus,
    },
    ({ workspaceId, params: { account_id }, request }) =>
      readRate(deps, workspaceId, account_id, whoOf(request)),
  );
  routes.get(
    "/:account_id/pace",
    {
      scope: "read",
      summary: "How fast the governor lets the account go today, and why",
      params,
      answer: paceSchema,
    },
    ({ workspaceId, params: { account_id }, request }) =>
      readPace(deps, workspaceId, account_id, whoOf(request)),
  );
  routes.patch(
    "/:account_id/pace",
    {
      scope: "write",
      summary: "Adjust the governor for the account; null gives a measure back to the workspace",
      params,
      body: paceChangesShape.extend(why),
      answer: paceSchema,
    },
    ({ workspaceId, params: { account_id }, body, by, request }) =>
      adjustPace(deps, workspaceId, account_id, body, whoOf(request, by.reason)),
  );
  routes.post(
    "/:account_id/test",
    {
      scope: "operate",
      summary: "Send one message into one of the account's chats at once",
      params,
      body: testMessage,
      answer: sentTest,
    },
    ({ workspaceId, params: { account_id }, body, request }) =>
      sendTest(deps, workspaceId, account_id, body, whoOf(request)),
  );
  app.delete(
    `${under}/:account_id`,
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Delete an account with its session, links, queue and history",
        params,
        querystring: z.object(deletion),
        response: { 200: deletedAccount },
      },
    },
    async (request) => {
      const { reason, dry_run: dryRun } = request.query;
      const workspaceId = await workspaceOf(sql, request, request.query);
      const id = await wholeId(sql, workspaceId, accountIdColumns.account, request.params.account_id);
      return deleteAccount(deps, workspaceId, id, whoOf(request, reason), { dryRun });
    },
  );
}
