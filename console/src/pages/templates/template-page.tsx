import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { Refused } from "../../api/index.ts";
import { Link, mayLeave, navigate } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { AskDialog, Button, Empty, Fault, Page, Skeleton, toast } from "../../ui/index.ts";
import { Editor } from "./editor.tsx";
import type { Template } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useChannels, useTemplateActs, useVersions } from "./use-templates.ts";
import { DiffCard, VersionsCard } from "./versions-card.tsx";
import "./templates.css";

export function TemplatePage({ workspace, params }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const id = params.id ?? "";
  const [gone, setGone] = useState(false);
  const found = useVersions(workspace.id, id, !gone);
  const channels = useChannels(workspace.id).items ?? [];
  const { activate, remove } = useTemplateActs(workspace.id);
  // What the editor began with: it stays when another version becomes active, because the person may have written already.
  const [base, setBase] = useState<Template | undefined>(undefined);
  const [round, setRound] = useState(0);
  const [text, setText] = useState<string | null>(null);
  const [comparedAt, setComparedAt] = useState<number | null>(null);
  const [activating, setActivating] = useState<Template | null>(null);
  const [removing, setRemoving] = useState(false);
  const versions = found.data?.versions;
  const start = versions?.find(({ active }) => active) ?? versions?.[0];
  if (!base && start && !found.isFetching) setBase(start);
  const begin = (version: Template) => {
    setBase(version);
    setText(null);
    setRound(round + 1);
  };
  const compared = versions?.find(({ version }) => version === comparedAt);
  const mayWrite = workspace.scopes.includes("write");
  const users = channels.filter(({ template_ref }) => template_ref === id);

  if (found.error instanceof Refused && found.error.status === 404)
    return (
      <Page title={id}>
        <Empty title={texts.gone} hint={texts.goneHint}>
          <Link href="/templates">{texts.back}</Link>
        </Empty>
      </Page>
    );
  return (
    <Page
      title={id}
      lead={
        users.length > 0
          ? texts.usedBy(users.map(({ title, target_id }) => title ?? target_id).join(", "))
          : texts.unused
      }
      aside={
        mayWrite && (
          <Button look="quiet" onClick={() => setRemoving(true)}>
            {texts.remove}
          </Button>
        )
      }
    >
      <Link href="/templates" className="template-back">
        <ArrowLeft aria-hidden="true" /> {texts.back}
      </Link>
      {found.error && !versions && <Fault error={found.error} onRetry={() => void found.refetch()} />}
      {!base && found.isFetching && <Skeleton height={420} />}
      {base && (
        <Editor
          key={round}
          workspace={workspace}
          from={base}
          onText={setText}
          onSaved={(saved) => {
            toast(texts.editor.saved(saved.version));
            begin(saved);
          }}
        />
      )}
      {compared && base && <DiffCard version={compared} text={text ?? base.body} />}
      {versions && (
        <VersionsCard
          versions={versions}
          mayWrite={mayWrite}
          onEdit={(version) => mayLeave(texts.editor.replace) && begin(version)}
          onCompare={({ version }) => setComparedAt(version)}
          onActivate={setActivating}
        />
      )}
      {activating && (
        <AskDialog
          title={texts.activateTitle(activating.version)}
          submit={texts.activate}
          asksReason
          act={(reason) => activate.mutateAsync({ id, version: activating.version, reason })}
          onDone={() => toast(texts.activated(activating.version))}
          onClose={() => setActivating(null)}
        >
          {texts.activateHint}
        </AskDialog>
      )}
      {removing && (
        <AskDialog
          title={texts.removeTitle(id)}
          submit={texts.remove}
          look="danger"
          asksReason
          typeToConfirm={id}
          act={async (reason) => {
            await remove.mutateAsync({ id, reason });
            setGone(true);
          }}
          onDone={() => {
            toast(texts.removed(id));
            navigate("/templates");
          }}
          onClose={() => setRemoving(false)}
        >
          {texts.removeHint}
        </AskDialog>
      )}
    </Page>
  );
}
