/** Tenants, their changes and credentials, and what the routes of all modules share. */
export { auditPage } from "./audit/audit-page.ts";
export type { AdminDeps, By } from "./change/deps.ts";
export { type Differences, differences, isEmpty } from "./change/differences.ts";
export { inOneChange, type Rehearsal } from "./change/in-one-change.ts";
export { mergePatch } from "./change/merge-patch.ts";
export { type Noted, noteChange, noteEvent } from "./change/note-change.ts";
export { noteReading, noteReadingBy } from "./change/note-reading.ts";
export type { Conflicts } from "./change/refusal.ts";
export { type Core, perCore } from "./core.ts";
export type { CredentialRead } from "./credentials/accounts.ts";
export { environmentName, providerToken } from "./credentials/credential-shape.ts";
export { type Credentials, createCredentials, createTokens } from "./credentials/credentials.ts";
export { type FirstCredential, firstCredential } from "./credentials/first-credential.ts";
export {
  bindCredential,
  type CredentialDeps,
  type CredentialKey,
  type CredentialValue,
  credentialRef,
  deleteCredential,
  keepCredential,
  workspacesWithCredential,
} from "./credentials/keep-credential.ts";
export { placeOfSecret } from "./credentials/secret-place.ts";
export {
  forgetSecret,
  type GivenSecret,
  keepSecret,
  oneSecret,
  type SecretDeps,
  storeSecret,
} from "./credentials/secrets.ts";
export { createVariables, requireBound, type Variables } from "./credentials/variables.ts";
export { workspaces } from "./module.ts";
export { type Planned, type PlanQuestion, type PlanSource, plannedSchema } from "./planned/planned.ts";
export { cursorOf, idAfter, type Place, placeAfter, timeAndId } from "./requests/cursor.ts";
export { changesSchema, dryRun, flag, reason, somethingOf } from "./requests/fields.ts";
export { idOf } from "./requests/ids.ts";
export {
  countUpTo,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  pageOfAll,
  pageQuery,
  pageSchema,
} from "./requests/paging.ts";
export { byOf, deletion, inWorkspace, workspaceOf } from "./requests/request.ts";
export { workspaceRoutes } from "./requests/route.ts";
export { addWorkspace, changeWorkspace, setWorkspaceStatus } from "./tenants/change-workspace.ts";
export { deleteWorkspace, fileFolders } from "./tenants/delete-workspace.ts";
export { exportWorkspace } from "./tenants/export-workspace.ts";
export { ensureWorkspace } from "./tenants/first-workspace.ts";
export { listWorkspaces } from "./tenants/list-workspaces.ts";
export { readWorkspace, workspacePage } from "./tenants/read-workspaces.ts";
export { tenantRoutes } from "./tenants/workspace-routes.ts";
export { newWorkspace, type Workspace, workspaceChanges } from "./tenants/workspace-shape.ts";
export { daysAfter, tokenLife } from "./tokens/token-limits.ts";
