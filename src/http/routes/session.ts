import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { inTime } from "../../kernel/words/index.ts";
import type { App } from "../app.ts";
import type { AuthDeps } from "../auth/authenticate.ts";
import { requireOperator } from "../auth/caller.ts";
import { requireSameOrigin } from "../auth/same-origin.ts";
import { scopes } from "../auth/scopes.ts";
import { clearSessionCookie, setSessionCookie } from "../auth/session-cookie.ts";
import { changePassword } from "../operators/change-password.ts";
import { passwordLength } from "../operators/password-rules.ts";
import type { PasswordWork } from "../operators/password-work.ts";
import { endSession, findSession, type StartedSession } from "../operators/sessions.ts";
import { type SignIn, signInWithLink, signInWithPassword } from "../operators/sign-in.ts";
import { problem } from "../problems/index.ts";
import { lineOfText } from "../validation.ts";
import type { ListWorkspaces } from "./workspaces.ts";

export interface SessionDeps extends AuthDeps {
  readonly listWorkspaces: ListWorkspaces;
  readonly passwordWork: PasswordWork;
  /** Whether twins run, whose page `/playground` leads to. */
  readonly hasPlayground: boolean;
}

const password = z.string().min(1).max(passwordLength.max);

const signInSchema = z.union([
  z.strictObject({ login: lineOfText({ min: 1, max: 64 }), password }),
  z.strictObject({ link: lineOfText({ min: 1, max: 200 }) }),
]);

const sessionSchema = z.object({
  operator: z.object({ id: z.uuid(), login: z.string(), name: z.string(), has_password: z.boolean() }),
  scopes: z.array(z.enum(scopes)),
  expires_at: z.date(),
  workspaces: z.array(z.object({ id: z.uuid(), name: z.string(), status: z.string() })),
  playground: z.boolean().describe("Whether twins run and `/playground` leads to their chats"),
});

type SessionView = z.output<typeof sessionSchema>;

export function sessionRoutes(app: App, deps: SessionDeps): void {
  const { sql, clock, publicUrl, passwordWork } = deps;
  const tags = ["session"];

  app.get(
    "/api/v1/session",
    {
      config: { scope: "read" },
      schema: { tags, summary: "Who is signed in", response: { 200: sessionSchema } },
    },
    async (request): Promise<SessionView> => {
      const { id, login, name, hasPassword, session } = requireOperator(request);
      return view({ id, login, name, hasPassword }, session.expiresAt);
    },
  );

  app.post(
    "/api/v1/session",
    {
      config: { scope: "public" },
      schema: {
        tags,
        summary: "Sign in by password or by a one-time link",
        body: signInSchema,
        response: { 200: sessionSchema },
      },
    },
    async (request, reply): Promise<SessionView> => {
      refuseForeignPage(request);
      const visitor = { address: request.ip, userAgent: request.headers["user-agent"] };
      const { body } = request;
      const signIn =
        "link" in body
          ? await signInWithLink(sql, body.link, visitor, { clock })
          : await signInWithPassword(sql, body, visitor, { clock, passwordWork });
      const started = sessionOrProblem(signIn, "link" in body);
      setSessionCookie(reply, started, { publicUrl, clock });
      const session = await findSession(sql, { token: started.token, clock });
      if (!session) throw problem("not_signed_in");
      request.log.info({ operator: session.operator.login }, "an operator signed in");
      return view(session.operator, session.expiresAt);
    },
  );

  app.delete(
    "/api/v1/session",
    {
      config: { scope: "read" },
      schema: { tags, summary: "Sign out", response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await endSession(sql, requireOperator(request).session.id);
      clearSessionCookie(reply, publicUrl);
      return reply.code(204).send();
    },
  );

  app.put(
    "/api/v1/session/password",
    {
      config: { scope: "admin" },
      schema: {
        tags,
        summary: "Set or change the own password; other sessions end",
        body: z.strictObject({ current: password.optional(), password: z.string().max(1000) }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const caller = requireOperator(request);
      const change = await changePassword(
        sql,
        { login: caller.login, sessionId: caller.session.id, ...request.body },
        { clock, passwordWork },
      );
      if (change.kind === "busy") throw busy(change.retryAfterSeconds);
      if (change.kind === "throttled") throw throttled(change.retryAfterSeconds);
      if (change.kind === "refused") {
        throw problem("password_refused", {
          detail: change.reason,
          errors: [{ pointer: `/${change.field}`, detail: change.reason }],
        });
      }
      request.log.info({ operator: caller.login }, "an operator changed their password");
      return reply.code(204).send();
    },
  );

  /** There is no cookie yet, but a page of another site must not sign a visitor in as somebody else. */
  function refuseForeignPage(request: FastifyRequest): void {
    const { origin, "sec-fetch-site": site } = request.headers;
    if (origin !== undefined || site !== undefined) requireSameOrigin(request, publicUrl);
  }

  async function view(
    operator: { id: string; login: string; name: string; hasPassword: boolean },
    expiresAt: Date,
  ): Promise<SessionView> {
    const { id, login, name, hasPassword } = operator;
    return {
      operator: { id, login, name, has_password: hasPassword },
      scopes: [...scopes],
      expires_at: expiresAt,
      workspaces: [...(await deps.listWorkspaces())],
      playground: deps.hasPlayground,
    };
  }
}

function sessionOrProblem(signIn: SignIn, byLink: boolean): StartedSession {
  switch (signIn.kind) {
    case "signed_in":
      return signIn.session;
    case "throttled":
      throw throttled(signIn.retryAfterSeconds);
    case "busy":
      throw busy(signIn.retryAfterSeconds);
    case "refused":
      throw problem(byLink ? "signin_link_refused" : "signin_refused", {
        headers: { "www-authenticate": 'Bearer realm="molva"' },
      });
  }
}

function throttled(seconds: number) {
  return problem("signin_throttled", {
    detail: `Too many attempts. Try again ${inTime(seconds, "en")}.`,
    headers: { "retry-after": String(seconds) },
  });
}

function busy(seconds: number) {
  return problem("signin_busy", { headers: { "retry-after": String(seconds) } });
}
