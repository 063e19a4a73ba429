import { z } from "zod";
import type { App } from "../app.ts";
import { auditRequest } from "../auth/audit-request.ts";
import type { AuthDeps } from "../auth/authenticate.ts";
import { requireInstallation, requireOperator } from "../auth/caller.ts";
import { endSession, listSessions } from "../operators/sessions.ts";
import { problem } from "../problems/index.ts";

const tags = ["session"];

const sessionRow = z.object({
  id: z.uuid(),
  operator_id: z.uuid(),
  login: z.string(),
  created_at: z.date(),
  last_seen_at: z.date().describe("Exact to a minute"),
  expires_at: z.date(),
  address: z.string().nullable().describe("The network address at sign-in"),
  user_agent: z.string().nullable(),
  current: z.boolean().describe("The session of this request"),
});

/** Where an operator is signed in, and signing out there. */
export function sessionListRoutes(app: App, { sql, clock }: AuthDeps): void {
  app.get(
    "/api/v1/sessions",
    {
      config: { scope: "read", about: "caller" },
      schema: {
        tags,
        summary: "Where the operator is signed in, the last used first; of everybody for administrators",
        querystring: z.object({
          all: z
            .enum(["true", "false"])
            .optional()
            .describe("true: of every operator, for administrators of the installation"),
        }),
        response: { 200: z.object({ items: z.array(sessionRow), next: z.null() }) },
      },
    },
    async (request) => {
      const { id, session } = requireOperator(request);
      const all = request.query.all === "true";
      if (all) requireInstallation(request);
      const rows = await listSessions(sql, { operatorId: all ? null : id, clock });
      return { items: rows.map((row) => ({ ...row, current: row.id === session.id })), next: null };
    },
  );

  app.delete(
    "/api/v1/sessions/:id",
    {
      config: { scope: "read", about: "caller" },
      schema: {
        tags,
        summary: "End a session of the operator at once; of anybody for administrators",
        params: z.object({ id: z.uuid() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { id: operatorId, administrator } = requireOperator(request);
      const { id } = request.params;
      await sql.begin(async (tx) => {
        const whose = await endSession(tx, { id, operatorId: administrator ? null : operatorId });
        if (!whose) throw problem("not_found", { detail: "There is no such session, or it has ended." });
        const subject = { kind: "session", id };
        const meta = { operator_id: whose };
        const entry = { workspaceId: null, action: "session.revoked", subject, meta };
        await auditRequest({ sql: tx, clock }, request, entry);
      });
      return reply.code(204).send();
    },
  );
}
