import { databaseAddress } from "../url/index.ts";
import type { Sql } from "./connect.ts";
import { SchemaError } from "./migrate.ts";

/**
 * Creates the role named in an address, if it is missing, and lets it use the caller's tables. Calling it again covers new
 * tables and sets the password from the address.
 */
export async function admitApplication(owner: Sql, applicationUrl: string): Promise<void> {
  const { user: role = "", password = "" } = databaseAddress(applicationUrl) ?? {};
  const [asking] = await owner<[{ name: string; mayMakeRoles: boolean; known: boolean }]>`
    select current_user as name, rolsuper or rolcreaterole as "mayMakeRoles",
      exists (select from pg_roles where rolname = ${role}) as known
    from pg_roles where rolname = current_user`;
  if (role === "" || role === asking.name)
    throw new SchemaError(
      "DATABASE_URL and DATABASE_OWNER_URL name the same role: give the server one of its own, such as molva_app.",
    );
  if (asking.mayMakeRoles) await makeRole(owner, role, password, asking.known);
  else if (!asking.known)
    throw new SchemaError(
      `There is no role ${role}, and ${asking.name} may not make one. Make it as an administrator: create role ${role} login password \u2026`,
    );
  await owner`select molva.admit_application(${role})`;
}

async function makeRole(owner: Sql, role: string, password: string, known: boolean): Promise<void> {
  const [made] = await owner<[{ statement: string }]>`
    select format('%s role %I login%s nosuperuser nocreatedb nocreaterole nobypassrls', ${known ? "alter" : "create"}::text,
      ${role}::text, case when ${password}::text <> '' then format(' password %L', ${password}::text) else '' end) as statement`;
  await owner.unsafe(made.statement);
}
