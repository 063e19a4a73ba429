import { type Role, roleScopes } from "./roles.ts";
import { type Scope, scopes } from "./scopes.ts";

/** What decides where a caller has which scopes. */
export type Reach =
  | {
      readonly kind: "operator";
      readonly administrator: boolean;
      readonly roles: Readonly<Record<string, Role>>;
    }
  | { readonly kind: "token"; readonly workspaceId: string | null; readonly scopes: readonly Scope[] };

/** The scopes in a workspace; null stands for the whole installation. */
export function scopesIn(reach: Reach, workspaceId: string | null): readonly Scope[] {
  if (reach.kind === "token")
    return reach.workspaceId === null || reach.workspaceId === workspaceId ? reach.scopes : [];
  if (reach.administrator) return scopes;
  const role = workspaceId === null ? undefined : reach.roles[workspaceId];
  return role ? roleScopes[role] : [];
}

/** The scopes that an operator has in at least one workspace. */
export function scopesAnywhere(reach: Reach): readonly Scope[] {
  if (reach.kind === "token") return reach.scopes;
  if (reach.administrator) return scopes;
  const held = new Set(Object.values(reach.roles).flatMap((role) => roleScopes[role]));
  return scopes.filter((scope) => held.has(scope));
}

/** A token is never stronger than its maker is now; one made on the command line has no maker. */
export function scopesUnder(
  wanted: readonly Scope[],
  maker: { readonly administrator: boolean; readonly role: Role | null } | null,
): readonly Scope[] {
  if (maker === null || maker.administrator) return wanted;
  const held = maker.role ? roleScopes[maker.role] : [];
  return wanted.filter((scope) => held.includes(scope));
}
