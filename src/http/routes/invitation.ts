import { z } from "zod";
import type { App } from "../app.ts";
import { refuseForeignPage } from "../auth/same-origin.ts";
import { sessionCookie, setSessionCookie } from "../auth/session-cookie.ts";
import { type Acceptance, acceptInvitation } from "../operators/accept-invitation.ts";
import { findInvitation } from "../operators/invitations.ts";
import { findOperator } from "../operators/operators.ts";
import { forgiveAttempt, type Subject, takeAttempt } from "../operators/throttle.ts";
import { problem } from "../problems/index.ts";
import { lineOfText } from "../validation.ts";
import type { SessionDeps } from "./session.ts";
import { busy, throttled } from "./sign-in-problems.ts";

const tags = ["session"];

/** The token stands in the body: an address would be logged. */
const invitation = lineOfText({ min: 1, max: 200 }).describe("The part of the link after `#`");

const invitationSchema = z.object({
  login: z.string(),
  role: z.string(),
  workspace: z.string().nullable().describe("Its name; null: the whole installation"),
  known: z.boolean().describe("The login has an operator already, who needs no name and password"),
  expires_at: z.date(),
});

/** For whoever has the link of an invitation. */
export function invitationRoutes(app: App, deps: SessionDeps): void {
  const { sql, clock, publicUrl, passwordWork } = deps;

  app.post(
    "/api/v1/invitation",
    {
      config: { scope: "public" },
      schema: {
        tags,
        summary: "What an invitation is to; changes nothing",
        body: z.strictObject({ invitation }),
        response: { 200: invitationSchema },
      },
    },
    async (request) => {
      const subjects: Subject[] = [{ kind: "link", value: request.ip }];
      const permission = await takeAttempt(sql, subjects, { clock });
      if (permission.kind === "throttled") throw throttled(permission.retryAfterSeconds);
      const found = await findInvitation(sql, { token: request.body.invitation, clock });
      if (!found) throw problem("invitation_refused");
      await forgiveAttempt(sql, subjects);
      const { login, role, workspace_id, expires_at } = found;
      const workspace = (await deps.listWorkspaces()).find(({ id }) => id === workspace_id)?.name ?? null;
      return { login, role, workspace, known: (await findOperator(sql, login)) !== undefined, expires_at };
    },
  );

  app.post(
    "/api/v1/invitation/accept",
    {
      config: { scope: "public" },
      schema: {
        tags,
        summary:
          "Accept an invitation: a new operator chooses name and password and is signed in, an existing one must be signed in",
        body: z.strictObject({
          invitation,
          name: lineOfText({ min: 1, max: 100 }).optional(),
          password: z.string().max(1000).optional(),
        }),
        response: { 200: z.object({ login: z.string(), signed_in: z.boolean() }) },
      },
    },
    async (request, reply) => {
      refuseForeignPage(request, publicUrl);
      const visitor = { address: request.ip, userAgent: request.headers["user-agent"] };
      const given = { ...request.body, session: request.cookies[sessionCookie] };
      const accepted = accomplished(await acceptInvitation(sql, given, visitor, { clock, passwordWork }));
      if (accepted.kind === "signed_in") setSessionCookie(reply, accepted.session, { publicUrl, clock });
      return { login: accepted.login, signed_in: accepted.kind === "signed_in" };
    },
  );
}

function accomplished(acceptance: Acceptance): Extract<Acceptance, { kind: "signed_in" | "added" }> {
  switch (acceptance.kind) {
    case "signed_in":
    case "added":
      return acceptance;
    case "refused":
      throw problem("invitation_refused");
    case "sign_in_first":
      throw problem("not_signed_in", {
        detail: `The login ${acceptance.login} exists already: sign in as ${acceptance.login}, then open the link again.`,
        headers: { "www-authenticate": 'Bearer realm="molva"' },
      });
    case "throttled":
      throw throttled(acceptance.retryAfterSeconds);
    case "busy":
      throw busy(acceptance.retryAfterSeconds);
    case "invalid":
      throw problem(acceptance.field === "password" ? "password_refused" : "unprocessable", {
        detail: acceptance.reason,
        errors: [{ pointer: `/${acceptance.field}`, detail: acceptance.reason }],
      });
  }
}
