import { z } from "zod";
import { type App, lineOfText, type RouteModule } from "../../http/index.ts";
import { requireAccount, whoOf } from "../admin/access.ts";
import { ofAccount, ownersRoutes, why } from "../admin/routes/owners-routes.ts";
import { changeProxy, proxyAddress, shownProxyOf } from "./account-proxies.ts";
import { enterCode, enterPassword, phone, resendCode, startByPhone } from "./by-phone.ts";
import { lookAtLogin, startByQr } from "./by-qr.ts";
import { cancelLogin } from "./cancel-login.ts";
import { importSession } from "./import-session.ts";
import { logOut } from "./log-out.ts";
import { loginSchema } from "./login-attempts.ts";
import type { LoginDeps } from "./login-deps.ts";
import { loginProblems } from "./login-problems.ts";

const attempt = { scope: "write", params: z.object({ login_id: z.uuid() }), answer: loginSchema } as const;
const proxySchema = z.object({ proxy: z.string().nullable().describe("Without its password") });

export function loginRoutes(deps: LoginDeps): RouteModule {
  return {
    name: "account-logins",
    problems: loginProblems,
    routes(app) {
      startRoutes(app, deps);
      stepRoutes(app, deps);
      sessionRoutes(app, deps);
    },
  };
}

function startRoutes(app: App, deps: LoginDeps): void {
  const routes = ownersRoutes(app, deps.sql);
  routes.post(
    "/login",
    {
      scope: "write",
      summary: "Start a sign-in by phone; Telegram sends a code",
      body: z.strictObject({ phone, proxy: proxyAddress.nullable().optional() }),
      answer: loginSchema,
    },
    ({ workspaceId, body, request }) => startByPhone(deps, workspaceId, body, whoOf(request)),
  );
  routes.post(
    "/login/qr",
    {
      scope: "write",
      summary: "Start a sign-in by a QR code that the phone scans",
      body: z.strictObject({ proxy: proxyAddress.optional() }),
      answer: loginSchema,
    },
    ({ workspaceId, body, request }) => startByQr(deps, workspaceId, body, whoOf(request)),
  );
  routes.post(
    "/import",
    {
      scope: "write",
      summary: "Import a session of mtcute, GramJS, Telethon or Pyrogram",
      body: z.strictObject({
        session: z.string().min(1).max(4_000).describe("The session string; its program must stop using it"),
        proxy: proxyAddress.optional(),
        title: lineOfText({ min: 1, max: 200 }).optional(),
      }),
      answer: loginSchema,
    },
    ({ workspaceId, body, request }) => importSession(deps, workspaceId, body, whoOf(request)),
  );
}

function stepRoutes(app: App, deps: LoginDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);
  routes.get(
    "/login/:login_id",
    {
      ...attempt,
      summary: "The state of a sign-in; while a QR code is shown, whether it was scanned, and a fresh code",
    },
    ({ workspaceId, params: { login_id }, request }) =>
      lookAtLogin(deps, workspaceId, login_id, whoOf(request)),
  );
  routes.post(
    "/login/:login_id/code",
    {
      ...attempt,
      summary: "Enter the code that Telegram sent",
      body: z.strictObject({ code: z.string().trim().min(1).max(64) }),
    },
    ({ workspaceId, params: { login_id }, body: { code }, request }) =>
      enterCode(deps, workspaceId, login_id, code, whoOf(request)),
  );
  routes.post(
    "/login/:login_id/password",
    {
      ...attempt,
      summary: "Enter the password of Telegram's two-step verification",
      body: z.strictObject({ password: z.string().min(1).max(1_000) }),
    },
    ({ workspaceId, params: { login_id }, body: { password }, request }) =>
      enterPassword(deps, workspaceId, login_id, password, whoOf(request)),
  );
  routes.post(
    "/login/:login_id/resend",
    { ...attempt, summary: "Request another code, by another channel if there is one" },
    ({ workspaceId, params: { login_id }, request }) =>
      resendCode(deps, workspaceId, login_id, whoOf(request)),
  );
  routes.deleteAndTell(
    "/login/:login_id",
    { ...attempt, summary: "Cancel a sign-in" },
    ({ workspaceId, params: { login_id }, request }) =>
      cancelLogin(deps, workspaceId, login_id, whoOf(request)),
  );
}

function sessionRoutes(app: App, deps: LoginDeps): void {
  const { sql } = deps;
  const routes = ownersRoutes(app, sql);
  routes.postSilently(
    "/:account_id/logout",
    {
      scope: "write",
      summary: "End the account's Telegram session and delete it; the account is switched off",
      params: ofAccount,
      body: z.strictObject({
        force: z.boolean().default(false).describe("Even if Telegram cannot be reached"),
        ...why,
      }),
    },
    ({ workspaceId, params: { account_id }, body: { force }, by, request }) =>
      logOut(deps, workspaceId, account_id, { ...whoOf(request, by.reason), force }),
  );
  routes.get(
    "/:account_id/proxy",
    {
      scope: "read",
      summary: "The account's proxy",
      params: ofAccount,
      answer: proxySchema,
    },
    async ({ workspaceId, params: { account_id: accountId }, request }) => {
      await requireAccount(sql, workspaceId, accountId, whoOf(request));
      return { proxy: await shownProxyOf(deps, { workspaceId, accountId }) };
    },
  );
  routes.put(
    "/:account_id/proxy",
    {
      scope: "write",
      summary: "Set the account's proxy, or remove it with null; used from the next connection on",
      params: ofAccount,
      body: z.strictObject({ proxy: proxyAddress.nullable(), ...why }),
      answer: proxySchema,
    },
    ({ workspaceId, params: { account_id }, body: { proxy }, by, request }) =>
      changeProxy(deps, workspaceId, account_id, proxy, whoOf(request, by.reason)),
  );
}
