import { Plus } from "lucide-react";
import { useState } from "react";
import { useList } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Button, type Column, Empty, Page, Table } from "../../ui/index.ts";
import { topic } from "./api.ts";
import { CreateWebhook } from "./create-webhook.tsx";
import { type Webhook, webhook } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { WebhookState } from "./webhook-state.tsx";

export function WebhooksPage({ workspace }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const { numbers } = useTexts();
  const list = useList("/webhooks", { workspace_id: workspace.id }, webhook, { topic });
  const [creating, setCreating] = useState(false);
  const create = workspace.scopes.includes("admin") && (
    <Button look="main" icon={<Plus aria-hidden="true" />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  const columns: Column<Webhook>[] = [
    {
      title: texts.url,
      grows: true,
      cell: ({ webhook_id, url, description }) => (
        <>
          <Link href={`/webhooks/${webhook_id}`} className="breaks">
            {url}
          </Link>
          {description && <div className="soft breaks">{description}</div>}
        </>
      ),
    },
    { title: texts.stateTitle, cell: (row) => <WebhookState webhook={row} /> },
    {
      title: texts.events,
      cell: ({ types }) => (types === null ? texts.allEvents : texts.someEvents(types.length)),
    },
    { title: texts.waiting, align: "right", cell: ({ waiting }) => numbers.format(waiting) },
    { title: texts.failed, align: "right", cell: ({ failed }) => numbers.format(failed) },
  ];
  return (
    <Page title={texts.title} lead={texts.lead} aside={create}>
      <Table
        label={texts.title}
        columns={columns}
        rows={list.items}
        keyOf={({ webhook_id }) => webhook_id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={
          <Empty title={texts.empty} hint={texts.emptyHint}>
            {create}
          </Empty>
        }
      />
      {creating && <CreateWebhook workspaceId={workspace.id} onClose={() => setCreating(false)} />}
    </Page>
  );
}
