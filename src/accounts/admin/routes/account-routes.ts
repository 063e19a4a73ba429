import { z } from "zod";
import { type App, callerOf } from "../../../http/index.ts";
import { deletion, pageOfAll } from "../../../workspaces/index.ts";
import { paceChangesShape } from "../../governor/pace-settings.ts";
import { phoneSchema, readPhone } from "../../read/account-phone.ts";
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
import { rateStatus, readRate } from "../limiter-status.ts";
import { adjustPace, paceSchema, readPace } from "../pace-view.ts";
import { sendTest, sentTest, testMessage } from "../test-message.ts";
import { type AccountRoutesDeps, ownersRoutes, ofAccount as params, why } from "./owners-routes.ts";

/** Accounts; signing in is in login-routes.ts. */
export function accountRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);

  routes.list(
    "",
    {
      scope: "read",
      summary: "Your accounts with today's quota, next task and last error; all accounts for admins",
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
      summary: "An account's full phone number; each reading is recorded",
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
      summary: "Change an account's mode, limit, interval, window or time zone, or switch it off",
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
      summary: "One day of an account: published, failed and planned tasks",
      params,
      query: { day: z.iso.date().optional().describe("In the account's time zone; default: today") },
      answer: timelineSchema,
    },
    ({ workspaceId, params: { account_id }, query, request }) =>
      timeline(deps, workspaceId, account_id, whoOf(request), query),
  );
  routes.get(
    "/:account_id/rate",
    {
      scope: "read",
      summary: "Whether the limiter allows the account's next message, and when",
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
      summary: "The account's pace today, and why",
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
      summary: "Change the account's pace settings; null restores the workspace's setting",
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
      summary: "Send a test message to one of the account's chats at once",
      params,
      body: testMessage,
      answer: sentTest,
    },
    ({ workspaceId, params: { account_id }, body, request }) =>
      sendTest(deps, workspaceId, account_id, body, whoOf(request)),
  );
  routes.deleteAndTell(
    "/:account_id",
    {
      scope: "write",
      summary: "Delete an account with its session, links, queue and history",
      params,
      query: deletion,
      answer: deletedAccount,
    },
    ({ workspaceId, params: { account_id }, by, dryRun, request }) =>
      deleteAccount(deps, workspaceId, account_id, whoOf(request, by.reason), { dryRun }),
  );
}
