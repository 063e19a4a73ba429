import { Plus } from "lucide-react";
import { useState } from "react";
import { useList } from "../../api/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Button, Columns, Page } from "../../ui/index.ts";
import { AlertList } from "./alert-list.tsx";
import { topic } from "./api.ts";
import { MonitorCard } from "./monitor-card.tsx";
import { target } from "./shapes.ts";
import { TargetDialog } from "./target-dialog.tsx";
import { TargetsCard } from "./targets-card.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export function AlertsPage({ workspace }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const targets = useList("/alert_targets", { workspace_id: workspace.id }, target, { topic, limit: 200 });
  const [adding, setAdding] = useState(false);
  const isAdmin = workspace.scopes.includes("admin");
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      aside={
        isAdmin && (
          <Button look="main" icon={<Plus aria-hidden="true" />} onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        )
      }
    >
      <Columns>
        <TargetsCard workspace={workspace} targets={targets} />
        <MonitorCard workspace={workspace} />
      </Columns>
      <AlertList workspaceId={workspace.id} targets={targets.items ?? []} />
      {adding && <TargetDialog workspaceId={workspace.id} onClose={() => setAdding(false)} />}
    </Page>
  );
}
