import { z } from "zod";
import { type App, idText, lineOfText, type RouteModule } from "../../http/index.ts";
import { requireAccount } from "../admin/require-account.ts";
import { asked, querystring, why } from "../admin/routes/request.ts";
import { loginSchema } from "./attempts.ts";
import { enterCode, enterPassword, resendCode, startByPhone } from "./by-phone.ts";
import { lookAtLogin, startByQr } from "./by-qr.ts";
import { cancelLogin } from "./cancel.ts";
import type { LoginDeps } from "./deps.ts";
import { importSession } from "./import-session.ts";
import { logOut } from "./log-out.ts";
import { phone } from "./phone.ts";
import { loginProblems } from "./problems.ts";
import { changeProxy, proxyAddress, shownProxyOf } from "./proxies.ts";

const tags = ["accounts"];
const attempt = z.object({ login_id: z.uuid() });
const account = z.object({ account_id: idText });
const response = { 200: loginSchema };
const proxySchema = z.object({ proxy: z.string().nullable().describe("Without its password") });

/** What signing accounts in brings to the server. */
export function loginRoutes(deps: LoginDeps): RouteModule {
  return {
    name: "account-logins",
    problems: loginProblems,
    routes(app) {
      beginning(app, deps);
      goingOn(app, deps);
      sessions(app, deps);
    },
  };
}

function beginning(app: App, deps: LoginDeps): void {
  const { sql } = deps;
  app.post(
    "/api/v1/accounts/login",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Begin to sign an account in, by its phone; Telegram sends a code",
        querystring,
        body: z.strictObject({ phone, proxy: proxyAddress.nullable().optional() }),
        response,
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return startByPhone(deps, workspaceId, request.body, who);
    },
  );
  app.post(
    "/api/v1/accounts/login/qr",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Begin to sign an account in by a QR code that its phone scans",
        querystring,
        body: z.strictObject({ proxy: proxyAddress.optional() }),
        response,
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return startByQr(deps, workspaceId, request.body, who);
    },
  );
  app.post(
    "/api/v1/accounts/import",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Take over a session of mtcute, GramJS, Telethon or Pyrogram",
        querystring,
        body: z.strictObject({
          session: z
            .string()
            .min(1)
            .max(4_000)
            .describe("The session string; its program must not use it any more"),
          proxy: proxyAddress.optional(),
          title: lineOfText({ min: 1, max: 200 }).optional(),
        }),
        response,
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return importSession(deps, workspaceId, request.body, who);
    },
  );
}

function goingOn(app: App, deps: LoginDeps): void {
  const { sql } = deps;
  app.get(
    "/api/v1/accounts/login/:login_id",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "How a sign-in stands; while a QR code is shown, whether it was scanned, and the code anew",
        params: attempt,
        querystring,
        response,
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return lookAtLogin(deps, workspaceId, request.params.login_id, who);
    },
  );
  app.post(
    "/api/v1/accounts/login/:login_id/code",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Enter the code that Telegram sent",
        params: attempt,
        querystring,
        body: z.strictObject({ code: z.string().trim().min(1).max(64) }),
        response,
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return enterCode(deps, workspaceId, request.params.login_id, request.body.code, who);
    },
  );
  app.post(
    "/api/v1/accounts/login/:login_id/password",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Enter the password of Telegram's two-step verification",
        params: attempt,
        querystring,
        body: z.strictObject({ password: z.string().min(1).max(1_000) }),
        response,
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return enterPassword(deps, workspaceId, request.params.login_id, request.body.password, who);
    },
  );
  app.post(
    "/api/v1/accounts/login/:login_id/resend",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Ask for another code, by another way where there is one",
        params: attempt,
        querystring,
        response,
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return resendCode(deps, workspaceId, request.params.login_id, who);
    },
  );
  app.delete(
    "/api/v1/accounts/login/:login_id",
    {
      config: { scope: "write" },
      schema: { tags, summary: "Call a sign-in off", params: attempt, querystring, response },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      return cancelLogin(deps, workspaceId, request.params.login_id, who);
    },
  );
}

function sessions(app: App, deps: LoginDeps): void {
  const { sql } = deps;
  app.post(
    "/api/v1/accounts/:account_id/logout",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "End the account's session at Telegram and forget it; the account is switched off",
        params: account,
        querystring,
        body: z.strictObject({
          force: z.boolean().default(false).describe("Forget it even when Telegram cannot be reached"),
          reason: why,
        }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { force, reason } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      await logOut(deps, workspaceId, request.params.account_id, { ...who, force });
      return reply.code(204).send(null);
    },
  );
  app.get(
    "/api/v1/accounts/:account_id/proxy",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "By which proxy the account goes",
        params: account,
        querystring,
        response: { 200: proxySchema },
      },
    },
    async (request) => {
      const { workspaceId, who } = await asked(sql, request);
      const accountId = request.params.account_id;
      await requireAccount(sql, workspaceId, accountId, who);
      return { proxy: await shownProxyOf(deps, { workspaceId, accountId }) };
    },
  );
  app.put(
    "/api/v1/accounts/:account_id/proxy",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Set the account's proxy, or take it away with null; it counts from the next connection on",
        params: account,
        querystring,
        body: z.strictObject({ proxy: proxyAddress.nullable(), reason: why }),
        response: { 200: proxySchema },
      },
    },
    async (request) => {
      const { proxy, reason } = request.body;
      const { workspaceId, who } = await asked(sql, request, reason);
      return changeProxy(deps, workspaceId, request.params.account_id, proxy, who);
    },
  );
}
