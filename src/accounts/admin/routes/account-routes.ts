import { z } from "zod";
import { type App, callerOf, idText } from "../../../http/index.ts";
import { paceChangesShape } from "../../governor/index.ts";
import { phoneSchema, readPhone } from "../../read/phone.ts";
import { timeline, timelineSchema } from "../../read/timeline.ts";
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
import { asked, deletion, querystring, why } from "./request.ts";
import { wholeIdsIn } from "./whole-ids.ts";

const tags = ["accounts"];
const params = z.object({ account_id: idText });

/** Accounts themselves; signing them in has routes of its own. */
export function accountRoutes(app: App, deps: AccountRoutesDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/accounts",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary:
          "One's accounts with today's quota, the next task and the last error; all of them for admins",
        querystring: querystring.extend({ owner: z.string().max(200).optional() }),
        response: { 200: z.object({ items: z.array(accountSchema) }) },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return { items: await listAccounts(deps, workspaceId, who, request.query) };
    },
  );

  app.get(
    "/api/v1/accounts/:account_id",
    {
      config: { scope: "read" },
      schema: { tags, summary: "One account", params, querystring, response: { 200: accountSchema } },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return readAccount(deps, workspaceId, request.params.account_id, who);
    },
  );

  app.get(
    "/api/v1/accounts/:account_id/phone",
    {
      config: { scope: "people" },
      schema: {
        tags,
        summary: "The whole phone of an account; each reading is recorded",
        params,
        querystring,
        response: { 200: phoneSchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const { kind, id } = callerOf(request);
      return readPhone(deps, workspaceId, request.params.account_id, who, { caller: { kind, id } });
    },
  );

  app.patch(
    "/api/v1/accounts/:account_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Change an account's mode, limit, interval, window and zone, or switch it off",
        params,
        querystring,
        body: accountChanges.extend({ reason: why }),
        response: { 200: accountSchema },
      },
    },
    async (request) => {
      const { reason, ...changes } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return changeAccount(deps, workspaceId, request.params.account_id, changes, who);
    },
  );

  app.delete(
    "/api/v1/accounts/:account_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Delete an account with its session, links, queue and history",
        params,
        querystring: deletion,
        response: { 200: deletedAccount },
      },
    },
    async (request) => {
      const { reason, dry_run } = request.query;
      const { workspaceId, who } = await asked(sql, request, reason);
      return deleteAccount(deps, workspaceId, request.params.account_id, who, { dryRun: dry_run });
    },
  );

  app.get(
    "/api/v1/accounts/:account_id/timeline",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "One day of an account: what was published, what failed, what is to come",
        params,
        querystring: querystring.extend({
          day: z.iso.date().optional().describe("Of the account's zone; today unless given"),
        }),
        response: { 200: timelineSchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return timeline(deps, workspaceId, request.params.account_id, who, request.query);
    },
  );

  app.get(
    "/api/v1/accounts/:account_id/rate",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Whether the limiter lets the account's next message through, and when",
        params,
        querystring,
        response: { 200: rateStatus },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return readRate(deps, workspaceId, request.params.account_id, who);
    },
  );

  app.get(
    "/api/v1/accounts/:account_id/pace",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "How fast the governor lets the account go today, and why",
        params,
        querystring,
        response: { 200: paceSchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return readPace(deps, workspaceId, request.params.account_id, who);
    },
  );

  app.patch(
    "/api/v1/accounts/:account_id/pace",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Adjust the governor for the account; null gives a measure back to the workspace",
        params,
        querystring,
        body: paceChangesShape.extend({ reason: why }),
        response: { 200: paceSchema },
      },
    },
    async (request) => {
      const { reason, ...changes } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return adjustPace(deps, workspaceId, request.params.account_id, changes, who);
    },
  );

  app.post(
    "/api/v1/accounts/:account_id/test",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Send one message into one of the account's chats at once",
        params,
        querystring,
        body: testMessage,
        response: { 200: sentTest },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const message = await wholeIdsIn(sql, workspaceId, request.body);
      return sendTest(deps, workspaceId, request.params.account_id, message, who);
    },
  );
}
