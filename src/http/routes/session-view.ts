import { z } from "zod";
import { scopesAnywhere, scopesIn } from "../auth/reach.ts";
import { roles } from "../auth/roles.ts";
import { scopes } from "../auth/scopes.ts";
import type { SignedInOperator } from "../operators/sessions.ts";
import type { ListWorkspaces } from "./workspaces.ts";

export const sessionSchema = z.object({
  operator: z.object({
    id: z.uuid(),
    login: z.string(),
    name: z.string(),
    has_password: z.boolean(),
    administrator: z.boolean().describe("Of the whole installation: every scope in every workspace"),
  }),
  scopes: z.array(z.enum(scopes)).describe("What the operator may do in at least one workspace"),
  expires_at: z.date(),
  workspaces: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      status: z.string(),
      role: z.enum(roles).nullable().describe("null: none, but the operator is an administrator"),
      scopes: z.array(z.enum(scopes)).describe("What the operator may do in this workspace"),
    }),
  ),
  second_factor: z
    .enum(["on", "off", "required"])
    .describe("`required`: nothing else may be done before one is set up"),
  playground: z.boolean().describe("Whether twins run and `/playground` leads to their chats"),
});
export type SessionView = z.output<typeof sessionSchema>;

interface SessionViewDeps {
  readonly listWorkspaces: ListWorkspaces;
  readonly hasPlayground: boolean;
  readonly requireSecondFactor: boolean;
}

/** A session as its operator sees it: only the workspaces that they may use. */
export async function sessionView(
  operator: SignedInOperator,
  expiresAt: Date,
  deps: SessionViewDeps,
): Promise<SessionView> {
  const { id, login, name, hasPassword, hasSecondFactor, administrator, roles: held } = operator;
  const reach = { kind: "operator", administrator, roles: held } as const;
  const workspaces = (await deps.listWorkspaces())
    .map((workspace) => ({
      ...workspace,
      role: held[workspace.id] ?? null,
      scopes: [...scopesIn(reach, workspace.id)],
    }))
    .filter((workspace) => workspace.scopes.length > 0);
  return {
    operator: { id, login, name, has_password: hasPassword, administrator },
    scopes: [...scopesAnywhere(reach)],
    expires_at: expiresAt,
    workspaces,
    second_factor: hasSecondFactor ? "on" : deps.requireSecondFactor ? "required" : "off",
    playground: deps.hasPlayground,
  };
}
