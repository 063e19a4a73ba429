import { z } from "zod";
import {
  type App,
  auditRequest,
  invitationUrl,
  invite,
  lineOfText,
  listInvitations,
  listMembers,
  type MemberChange,
  problem,
  type RouteModule,
  requireOperator,
  revokeInvitation,
  roleScopes,
  roles,
  setMemberRole,
} from "../../http/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import type { AdminDeps } from "../change/deps.ts";
import { inOneChange } from "../change/in-one-change.ts";
import { reason } from "../requests/fields.ts";
import { pageOfAll } from "../requests/paging.ts";
import { workspaceRoutes } from "../requests/route.ts";

const tag = "members";

export interface MemberDeps extends AdminDeps {
  readonly publicUrl: string;
}

const role = z
  .enum(roles)
  .describe(roles.map((name) => `\`${name}\`: ${roleScopes[name].join(", ")}`).join("; "));

const memberSchema = z.object({
  operator_id: z.uuid(),
  login: z.string(),
  name: z.string(),
  role,
  disabled: z.boolean(),
  created_at: z.date(),
});

const invitationSchema = z.object({
  id: z.uuid(),
  login: z.string(),
  role: z.string(),
  invited_by: z.uuid().nullable().describe("null: at the command line"),
  created_at: z.date(),
  expires_at: z.date(),
});

/** The people of a workspace. Only people manage them: a token could give somebody rights that outlive it. */
export function memberRoutes(deps: MemberDeps): RouteModule {
  return {
    name: "members",
    routes(app) {
      members(app, deps);
      invitations(app, deps);
    },
  };
}

function members(app: App, { sql, clock }: MemberDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/members", tag });
  const params = z.object({ operator_id: z.uuid() });

  routes.list(
    "",
    { scope: "admin", summary: "Operators with a role in the workspace, by login", item: memberSchema },
    async ({ workspaceId, page }) => pageOfAll(await listMembers(sql, workspaceId), page),
  );
  routes.patch(
    "/:operator_id",
    {
      scope: "admin",
      summary: "Change an operator's role in the workspace; the last admin stays one",
      params,
      body: z.strictObject({ role, reason: reason.optional() }),
      answer: memberSchema,
    },
    async ({ workspaceId, params: { operator_id: operatorId }, body, by, request }) => {
      requireOperator(request);
      await sql.begin(async (tx) => {
        const was = outcome(await setMemberRole(tx, { workspaceId, operatorId, role: body.role }));
        const subject = { kind: "operator", id: operatorId };
        const meta = { from: was, to: body.role, reason: by.reason };
        const entry = { workspaceId, action: "member.role_changed", subject, meta };
        await auditRequest({ sql: tx, clock }, request, entry);
      });
      const member = (await listMembers(sql, workspaceId)).find(
        ({ operator_id }) => operator_id === operatorId,
      );
      if (!member) throw noMember();
      return member;
    },
  );
  routes.delete(
    "/:operator_id",
    {
      scope: "admin",
      summary: "Take an operator's role in the workspace; the last admin stays",
      params,
    },
    async ({ workspaceId, params: { operator_id: operatorId }, by, dryRun, request }) => {
      requireOperator(request);
      const remove = async (tx: Transaction) => {
        const was = outcome(await setMemberRole(tx, { workspaceId, operatorId, role: null }));
        const subject = { kind: "operator", id: operatorId };
        const meta = { role: was, reason: by.reason };
        const entry = { workspaceId, action: "member.removed", subject, meta };
        await auditRequest({ sql: tx, clock }, request, entry);
      };
      await inOneChange(sql, remove, { dryRun });
    },
  );
}

function invitations(app: App, { sql, clock, publicUrl }: MemberDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/invitations", tag });

  routes.list(
    "",
    {
      scope: "admin",
      summary: "Invitations that can still be accepted, newest first",
      item: invitationSchema,
    },
    async ({ workspaceId, page }) => pageOfAll(await listInvitations(sql, { workspaceId, clock }), page),
  );
  routes.post(
    "",
    {
      scope: "admin",
      summary:
        "Invite somebody by a one-time link, valid for 7 days; the answer is the only place that shows it",
      body: z.strictObject({
        login: lineOfText({ min: 1, max: 64 }).describe(
          "The login they will have, such as an e-mail address",
        ),
        role,
      }),
      answer: invitationSchema.extend({ url: z.string() }),
      status: 201,
    },
    async ({ workspaceId, body: { login, role: given }, request, reply }) => {
      const { id } = requireOperator(request);
      const { invitation, token } = await sql.begin(async (tx) => {
        const made = await invite(tx, { workspaceId, login, role: given, invitedBy: id, clock });
        if (made.kind === "refused")
          throw problem("unprocessable", {
            detail: made.reason,
            errors: [{ pointer: "/login", detail: made.reason }],
          });
        const subject = { kind: "invitation", id: made.invitation.id };
        const meta = { login: made.invitation.login, role: given };
        const entry = { workspaceId, action: "operator.invited", subject, meta };
        await auditRequest({ sql: tx, clock }, request, entry);
        return made;
      });
      reply.header("cache-control", "no-store");
      return { ...invitation, url: invitationUrl(publicUrl, token) };
    },
  );
  routes.delete(
    "/:invitation_id",
    {
      scope: "admin",
      summary: "Revoke an invitation: its link stops working",
      params: z.object({ invitation_id: z.uuid() }),
    },
    async ({ workspaceId, params: { invitation_id: id }, request, dryRun }) => {
      requireOperator(request);
      const revoke = async (tx: Transaction) => {
        const revoked = await revokeInvitation(tx, { id, workspaceId });
        if (!revoked) throw problem("not_found", { detail: "There is no such invitation, or it has ended." });
        const subject = { kind: "invitation", id };
        const meta = { login: revoked.login, role: revoked.role };
        const entry = { workspaceId, action: "invitation.revoked", subject, meta };
        await auditRequest({ sql: tx, clock }, request, entry);
      };
      await inOneChange(sql, revoke, { dryRun });
    },
  );
}

/** The role before the change. */
function outcome(change: MemberChange): string {
  if (change.kind === "changed") return change.was;
  if (change.kind === "unknown") throw noMember();
  throw problem("conflict", {
    detail: "This is the last admin of the workspace: make somebody else an admin first.",
  });
}

function noMember() {
  return problem("not_found", { detail: "There is no such member in this workspace." });
}
