/** Tenants, who changed what of them, their credentials, and how every module's routes ask and refuse. */
export type { AdminDeps, By } from "./change/deps.ts";
export { type Differences, differences, isEmpty } from "./change/differences.ts";
export { inOneChange, type Rehearsal } from "./change/in-one-change.ts";
export { mergePatch } from "./change/merge-patch.ts";
export { type Noted, noteChange, noteEvent } from "./change/note-change.ts";
export { noteReading, noteReadingBy } from "./change/note-reading.ts";
export { type Conflicts, refusalFrom } from "./change/refusal.ts";
export { type Core, perCore } from "./core.ts";
export { type Credentials, createCredentials } from "./credentials/credentials.ts";
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
export { environmentName, providerToken } from "./credentials/shape.ts";
export { createVariables, requireBound, type Variables } from "./credentials/variables.ts";
export { workspaces } from "./module.ts";
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
export { type DeleteWorkspaceDeps, deleteWorkspace } from "./tenants/delete.ts";
export { exportWorkspace } from "./tenants/export.ts";
export { ensureWorkspace } from "./tenants/first.ts";
export { defaultWorkspace, listWorkspaces } from "./tenants/list.ts";
export { readWorkspace, workspacePage } from "./tenants/read.ts";
export { tenantRoutes } from "./tenants/routes.ts";
export { newWorkspace, type Workspace, workspaceChanges } from "./tenants/shape.ts";
export { addWorkspace, changeWorkspace, setWorkspaceStatus } from "./tenants/write.ts";
