import { createLedger } from "../../billing/index.ts";
import type { AdminDeps } from "../../workspaces/index.ts";
import type { BeforeDelete } from "../projects/delete.ts";

/** Drafts of what is deleted are cancelled, and what was held for them goes back. */
export function refundDrafts({ sql, clock }: AdminDeps): BeforeDelete {
  return {
    name: "refund drafts",
    async run({ whose: { workspaceId, userId }, projectId, categoryId, connectionId }) {
      // A draft outlives the connection that it was made for.
      if (connectionId !== undefined) return;
      await sql.begin(async (tx) => {
        const drafts = await tx<{ run: string | null }[]>`
          update seo.article_previews v set status = 'cancelled'
          where v.workspace_id = ${workspaceId} and v.user_id = ${userId} and v.project_id = ${projectId} and v.status = 'draft'
            and v.category_id = coalesce(${categoryId ?? null}, v.category_id)
          returning v.run`;
        const ledger = createLedger(tx, clock);
        const runs = new Set(drafts.flatMap(({ run }) => run ?? []));
        for (const run of runs)
          await ledger.giveBack(workspaceId, run, "deleted with its project or category");
        // Nothing is to be decided about them any more: their texts are not paid for.
        await tx`
          select seo.end_review(r.workspace_id, r.id, 'expired', ${clock.now()}) from seo.runs r
          where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.status = 'review'
            and r.id::text = any (${[...runs]}::text[])`;
      });
    },
  };
}
