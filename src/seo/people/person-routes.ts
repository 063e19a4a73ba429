import type { FastifyRequest } from "fastify";
import type { App } from "../../http/index.ts";
import { type AdminDeps, noteReadingBy, workspaceRoutes } from "../../workspaces/index.ts";
import { userIdText, type Whose } from "./whose.ts";

/** Routes of one person: the path begins with the Telegram id. */
export function personRoutes(app: App, { sql }: AdminDeps) {
  return workspaceRoutes(app, sql, { under: "/api/v1/seo/users/:user_id", tag: "seo" });
}

/** Part of the path of all of them. */
export const person = { user_id: userIdText };

interface Asked {
  readonly workspaceId: string;
  readonly params: { readonly user_id: number };
}

export function whoseOf({ workspaceId, params }: Asked): Whose {
  return { workspaceId, userId: params.user_id };
}

/** The same for a reading, which is recorded before anything is returned. */
export async function readFor(
  { sql, clock }: AdminDeps,
  asked: Asked & { readonly request: FastifyRequest },
  object: string,
): Promise<Whose> {
  const { workspaceId, params } = asked;
  const meta = { object: `seo_${object}`, user_id: params.user_id };
  await noteReadingBy(sql, asked.request, { workspaceId, now: clock.now(), meta });
  return whoseOf(asked);
}
