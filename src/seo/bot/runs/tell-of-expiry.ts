/** Tells a person that nobody decided on their article for a day. */
import { notify } from "../../../dialogs/index.ts";
import { type Transaction, within } from "../../../kernel/db/index.ts";
import { lastReturned } from "../../publish/held-before.ts";
import type { RunKey } from "../../runs/create-runs.ts";
import { readRun } from "../../runs/read-runs.ts";
import { botName } from "../bot-name.ts";
import { both } from "../texts/index.ts";

/** The event by which a flow learns of it. */
export const previewExpired = "preview_expired";

/** Says nothing of other texts, nor of drafts that went with their project. */
export async function tellOfExpiry(
  tx: Transaction,
  { workspaceId, userId, runId }: RunKey,
  now: Date,
): Promise<void> {
  const [preview] = await tx<{ id: number; keyword: string | null }[]>`
    select v.id, v.keyword from seo.article_previews v
    where v.workspace_id = ${workspaceId} and v.user_id = ${userId} and v.run = ${runId} and v.status = 'expired'
    order by v.id desc limit 1`;
  if (!preview) return;
  const run = await readRun(within(tx), workspaceId, runId, userId);
  const returned = lastReturned(run).reduce((sum, { amount }) => sum + amount, 0);
  const again = both((t) => [[{ label: t.articles.expired.again, to: `article:${preview.id}:again` }]]);
  const notice = {
    ...{ chatId: String(userId), id: `${previewExpired} ${runId}`, name: previewExpired, facts: { runId } },
    say: both((t) => t.articles.expired.told(preview.keyword ?? "", returned)),
    keys: again,
  };
  await notify(tx, { workspaceId, bot: botName }, notice, now);
}
