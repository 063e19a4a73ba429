import { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { App } from "../app.ts";
import { auditRequest } from "../auth/audit-request.ts";
import type { AuthDeps } from "../auth/authenticate.ts";
import { requireOperator } from "../auth/caller.ts";
import { refuseForeignPage } from "../auth/same-origin.ts";
import { clearSessionCookie, setSessionCookie } from "../auth/session-cookie.ts";
import { auditSignIn } from "../operators/audit-sign-in.ts";
import { changePassword } from "../operators/change-password.ts";
import { passwordLength } from "../operators/password-rules.ts";
import type { PasswordWork } from "../operators/password-work.ts";
import type { FactorDeps, Proof } from "../operators/second-factor/factors.ts";
import { codeSchema, recoveryCodeSchema } from "../operators/second-factor/second-factor-routes.ts";
import { signInWithSecondStep } from "../operators/second-factor/second-step.ts";
import { endSession, findSession, type StartedSession } from "../operators/sessions.ts";
import { type SignIn, signInWithLink, signInWithPassword, type Visitor } from "../operators/sign-in.ts";
import { problem } from "../problems/index.ts";
import { lineOfText } from "../validation.ts";
import { type SessionView, sessionSchema, sessionView } from "./session-view.ts";
import { busy, throttled } from "./sign-in-problems.ts";
import type { ListWorkspaces } from "./workspaces.ts";

export interface SessionDeps extends AuthDeps, FactorDeps {
  readonly listWorkspaces: ListWorkspaces;
  readonly passwordWork: PasswordWork;
  /** Whether twins run, whose page `/playground` leads to. */
  readonly hasPlayground: boolean;
}

const password = z.string().min(1).max(passwordLength.max);

const challenge = lineOfText({ min: 1, max: 200 });

const signInSchema = z.union([
  z.strictObject({ login: lineOfText({ min: 1, max: 64 }), password }),
  z.strictObject({ link: lineOfText({ min: 1, max: 200 }) }),
  z.strictObject({ challenge, code: codeSchema }),
  z.strictObject({ challenge, recovery_code: recoveryCodeSchema }),
]);

type SignInBody = z.output<typeof signInSchema>;

const challengeSchema = z.object({
  second_step: z.object({
    challenge: z.string().describe("To be sent back to this address, with a code or a recovery code"),
    expires_at: z.date(),
  }),
});

export function sessionRoutes(app: App, deps: SessionDeps): void {
  const { sql, clock, vault, publicUrl, passwordWork } = deps;
  const tags = ["session"];

  app.get(
    "/api/v1/session",
    {
      config: { scope: "read", about: "caller", beforeSecondFactor: true },
      schema: { tags, summary: "Who is signed in", response: { 200: sessionSchema } },
    },
    async (request): Promise<SessionView> => {
      const { session, ...operator } = requireOperator(request);
      return sessionView(operator, session.expiresAt, deps);
    },
  );

  app.post(
    "/api/v1/session",
    {
      config: { scope: "public" },
      schema: {
        tags,
        summary: "Sign in by password or by a one-time link; then, with a challenge, by the second factor",
        body: signInSchema,
        response: { 200: sessionSchema, 202: challengeSchema },
      },
    },
    async (request, reply) => {
      refuseForeignPage(request, publicUrl);
      const visitor = { address: request.ip, userAgent: request.headers["user-agent"] };
      const { body } = request;
      const signIn = await signInBy(body, visitor);
      const by = stepOf(body);
      // What succeeded is recorded in the transaction of its session.
      if (by !== "second_step" || signIn.kind === "throttled")
        await auditSignIn(sql, signIn, { by, address: request.ip }, clock.now());
      if (signIn.kind === "second_step") {
        const { token, expiresAt } = signIn.challenge;
        return reply.code(202).send({ second_step: { challenge: token, expires_at: expiresAt } });
      }
      const started = sessionOrProblem(signIn, "link" in body);
      setSessionCookie(reply, started, { publicUrl, clock });
      const session = await findSession(sql, { token: started.token, clock });
      if (!session) throw problem("not_signed_in");
      request.log.info({ operator: session.operator.login }, "an operator signed in");
      return sessionView(session.operator, session.expiresAt, deps);
    },
  );

  app.delete(
    "/api/v1/session",
    {
      config: { scope: "read", about: "caller", beforeSecondFactor: true },
      schema: { tags, summary: "Sign out", response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const { id, session } = requireOperator(request);
      const subject = { kind: "session", id: session.id };
      await sql.begin(async (tx) => {
        await endSession(tx, { id: session.id, operatorId: id });
        const entry = { workspaceId: null, action: "session.ended", subject };
        await auditRequest({ sql: tx, clock }, request, entry);
      });
      clearSessionCookie(reply, publicUrl);
      return reply.code(204).send();
    },
  );

  app.put(
    "/api/v1/session/password",
    {
      config: { scope: "read", about: "caller" },
      schema: {
        tags,
        summary: "Set or change the own password; other sessions end",
        body: z.strictObject({
          current: password
            .optional()
            .describe("Required of who has one; else a sign-in of the last minutes is"),
          password: z.string().max(1000),
          code: codeSchema.optional().describe("Required of who has a second factor and no password"),
          recovery_code: recoveryCodeSchema.optional().describe("In the place of a code"),
        }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const caller = requireOperator(request);
      const about = { workspaceId: null, subject: { kind: "operator", id: caller.id } };
      const { current, password: wanted, code, recovery_code } = request.body;
      const proof = proofOf(code, recovery_code);
      const note = (tx: Transaction) =>
        auditRequest({ sql: tx, clock }, request, { ...about, action: "password.changed" });
      const change = await changePassword(
        {
          by: { operatorId: caller.id, login: caller.login, address: request.ip },
          ...{ session: caller.session, current, password: wanted, proof },
        },
        { sql, clock, vault, passwordWork, note },
      );
      if (change.kind === "busy") throw busy(change.retryAfterSeconds);
      if (change.kind === "throttled") throw throttled(change.retryAfterSeconds);
      if (change.kind === "signin_too_old") {
        await auditRequest(deps, request, { ...about, action: "password.refused", result: "refused" });
        throw problem("signin_too_old");
      }
      if (change.kind === "refused") {
        // A new password that is too weak harms nobody; a wrong one may be somebody at a desk that was left alone.
        if (change.field !== "password")
          await auditRequest(deps, request, { ...about, action: "password.refused", result: "refused" });
        throw problem("password_refused", {
          detail: change.reason,
          errors: [{ pointer: `/${change.field}`, detail: change.reason }],
        });
      }
      request.log.info({ operator: caller.login }, "an operator changed their password");
      return reply.code(204).send();
    },
  );

  function signInBy(body: SignInBody, visitor: Visitor): Promise<SignIn> {
    if ("link" in body) return signInWithLink(sql, body.link, visitor, { clock });
    if ("password" in body) return signInWithPassword(sql, body, visitor, { clock, passwordWork });
    return signInWithSecondStep(deps, { challenge: body.challenge, proof: body }, visitor);
  }
}

function proofOf(code: string | undefined, recovery_code: string | undefined): Proof | undefined {
  if (code !== undefined) return { code };
  return recovery_code === undefined ? undefined : { recovery_code };
}

function stepOf(body: SignInBody): "link" | "password" | "second_step" {
  if ("link" in body) return "link";
  return "password" in body ? "password" : "second_step";
}

function sessionOrProblem(signIn: Exclude<SignIn, { kind: "second_step" }>, byLink: boolean): StartedSession {
  switch (signIn.kind) {
    case "signed_in":
      return signIn.session;
    case "throttled":
      throw throttled(signIn.retryAfterSeconds);
    case "busy":
      throw busy(signIn.retryAfterSeconds);
    case "second_step_refused":
      throw problem(signIn.reason === "code" ? "second_step_refused" : "second_step_expired", {
        headers: { "www-authenticate": 'Bearer realm="molva"' },
      });
    case "refused":
      throw problem(byLink ? "signin_link_refused" : "signin_refused", {
        headers: { "www-authenticate": 'Bearer realm="molva"' },
      });
  }
}
