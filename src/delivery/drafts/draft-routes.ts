import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { idOf, workspaceRoutes } from "../../workspaces/index.ts";
import { idColumns } from "../id-columns.ts";
import { acceptedSchema } from "../ingest/accept-post.ts";
import type { PostingDeps } from "../posting/post-as-operator.ts";
import { draftChanges, draftSchema, draftSummary, newDraft } from "./draft-shape.ts";
import { addDraft, changeDraft, draftPage, readDraft, removeDraft } from "./drafts.ts";
import { sendDraft } from "./send-draft.ts";

const params = z.object({ id: idOf(idColumns.draft) });

/** Drafts of posts over HTTP. They are everybody's who may write in the workspace. */
export function draftRoutes(app: App, deps: PostingDeps & { readonly sql: Sql }): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/drafts", tag: "drafts" });

  routes.list(
    "",
    {
      scope: "read",
      quiet: true,
      summary: "Posts that are still being written, what was changed last first",
      item: draftSummary,
    },
    ({ workspaceId, page }) => draftPage(sql, workspaceId, page),
  );
  routes.post(
    "",
    {
      scope: "write",
      summary: "Begin a draft; it may be incomplete",
      body: newDraft,
      answer: draftSchema,
      status: 201,
    },
    ({ workspaceId, body, by }) => addDraft(deps, workspaceId, body, by.operator),
  );
  routes.get(
    "/:id",
    { scope: "read", quiet: true, summary: "One draft", params, answer: draftSchema },
    ({ workspaceId, params: { id } }) => readDraft(sql, workspaceId, id),
  );
  routes.patch(
    "/:id",
    {
      scope: "write",
      quiet: true,
      summary: "Change a draft; if somebody else has changed it since that version, nothing is changed",
      params,
      body: draftChanges,
      answer: draftSchema,
    },
    ({ workspaceId, params: { id }, body }) => changeDraft(deps, workspaceId, id, body),
  );
  routes.delete(
    "/:id",
    { scope: "write", summary: "Throw a draft away", params },
    ({ workspaceId, params: { id }, dryRun }) => removeDraft(deps, workspaceId, id, { dryRun }),
  );
  routes.post(
    "/:id/send",
    {
      scope: "write",
      summary: "Post a draft once and remove it; asked again, the answer is the same for a day",
      description:
        "A draft that is incomplete or that no channel can take stays as it is. With `version` it is posted only as it was read.",
      params,
      body: z.strictObject({ version: z.int().min(1).optional() }),
      answer: acceptedSchema,
    },
    ({ workspaceId, params: { id }, body: { version }, by }) =>
      sendDraft(deps, workspaceId, id, { version, actor: by.operator }),
  );
}
