import { PenLine, Trash2 } from "lucide-react";
import { tell, useChange, useList, withQuery } from "../../api/index.ts";
import { Link, navigate } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  Button,
  type Column,
  Empty,
  Moment,
  Page,
  Table,
  toast,
  wordsOf,
  ZonedTime,
} from "../../ui/index.ts";
import { beginDraftLike, readDraft } from "./api.ts";
import { type Draft, type DraftSummary, draftSummary } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./compose.css";

export function DraftsPage({ workspace }: WorkspacePageProps) {
  const { drafts: texts, begin } = usePageTexts({ ru, en });
  const common = useTexts();
  const query = { workspace_id: workspace.id };
  const found = useList("/drafts", query, draftSummary, { topic: "drafts" });
  const mayWrite = workspace.scopes.includes("write");
  const bringBack = useChange((draft: Draft) => beginDraftLike(workspace.id, draft), ["drafts"]);
  const remove = useChange(
    async ({ id }: DraftSummary) => {
      const draft = await readDraft(workspace.id, id);
      await tell(withQuery(`/drafts/${id}`, query), { method: "DELETE" });
      return draft;
    },
    ["drafts"],
  );
  const failed = (error: Error) => toast(wordsOf(error, common));
  const undo = (draft: Draft) =>
    bringBack.mutate(draft, { onSuccess: () => toast(texts.back), onError: failed });
  const removeOne = (draft: DraftSummary) =>
    remove.mutate(draft, {
      onSuccess: (removed) => toast(texts.removed, () => undo(removed)),
      onError: failed,
    });
  const start = mayWrite && (
    <Button look="main" icon={<PenLine aria-hidden="true" />} onClick={() => navigate("/compose")}>
      {begin}
    </Button>
  );
  // The marks of a heading, a quote or a list are not part of the name.
  const nameOf = ({ title }: DraftSummary) => title.replace(/^[#>\s-]+/, "") || texts.untitled;
  const columns: Column<DraftSummary>[] = [
    {
      title: texts.name,
      grows: true,
      cell: (draft) => (
        <span className="draft-name">
          {mayWrite ? <Link href={`/compose?draft=${draft.id}`}>{nameOf(draft)}</Link> : nameOf(draft)}
          {draft.media > 0 && <small>{texts.files(draft.media)}</small>}
        </span>
      ),
    },
    {
      title: texts.where,
      cell: ({ channel_ids }) => (channel_ids ? texts.channels(channel_ids.length) : texts.byTags),
    },
    {
      title: texts.when,
      cell: ({ scheduled_for }) =>
        scheduled_for ? (
          <ZonedTime at={scheduled_for} zone={Intl.DateTimeFormat().resolvedOptions().timeZone} />
        ) : (
          texts.now
        ),
    },
    { title: texts.author, cell: ({ author }) => author.name },
    { title: texts.changed, cell: ({ updated_at }) => <Moment at={updated_at} /> },
    ...(mayWrite
      ? [
          {
            title: texts.actions,
            quietTitle: true,
            cell: (draft: DraftSummary) => (
              <Button
                look="quiet"
                icon={<Trash2 aria-hidden="true" />}
                aria-label={texts.removeOf(nameOf(draft))}
                onClick={() => removeOne(draft)}
              >
                {texts.remove}
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Page title={texts.title} lead={texts.lead} aside={start}>
      <Table
        label={texts.title}
        columns={columns}
        rows={found.items}
        keyOf={({ id }) => id}
        error={found.error}
        onRetry={found.refetch}
        more={found}
        empty={
          <Empty title={texts.empty} hint={texts.emptyHint}>
            {start}
          </Empty>
        }
      />
    </Page>
  );
}
