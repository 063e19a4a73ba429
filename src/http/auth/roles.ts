import type { Scope } from "./scopes.ts";

/** What an operator is in a workspace. Administrators of the installation need no role: they have every scope everywhere. */
export const roles = ["viewer", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

/**
 * The scopes of each role. Operators talk to customers, so they have `people`; raw payloads hold whatever a sender put into them and
 * are for admins. `metrics` is about all workspaces, so no role has it.
 */
export const roleScopes: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ["read"],
  operator: ["read", "write", "operate", "people"],
  admin: ["read", "write", "operate", "people", "payload", "admin"],
};
