import { Plus } from "lucide-react";
import { useState } from "react";
import { useList } from "../../api/index.ts";
import type { PageProps } from "../../shell/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Badge, Button, type Column, Empty, Moment, Page, Table } from "../../ui/index.ts";
import { topic } from "./api.ts";
import { type Tenant, tenant } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { WorkspaceActions } from "./workspace-actions.tsx";
import { type Doing, WorkspaceDialog } from "./workspace-dialogs.tsx";
import { WorkspaceForm } from "./workspace-form.tsx";

const tones = { active: "good", paused: "warn", disabled: "idle" } as const;

export function WorkspacesPage({ session }: PageProps) {
  const texts = usePageTexts({ ru, en });
  const { common, numbers } = useTexts();
  const list = useList("/workspaces", {}, tenant, { topic, limit: 200 });
  const [creating, setCreating] = useState(false);
  const [doing, setDoing] = useState<{ readonly what: Doing; readonly workspace: Tenant } | null>(null);
  const isAdministrator = session.operator.administrator;
  const scopesOf = (id: string) => session.workspaces.find((each) => each.id === id)?.scopes ?? [];
  const create = isAdministrator && (
    <Button look="main" icon={<Plus aria-hidden="true" />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  const columns: Column<Tenant>[] = [
    { title: texts.name, grows: true, cell: ({ name }) => <span className="breaks">{name}</span> },
    {
      title: texts.statusTitle,
      cell: ({ status }) => <Badge tone={tones[status]}>{texts.status[status]}</Badge>,
    },
    { title: texts.zone, cell: ({ timezone }) => timezone },
    { title: texts.channels, align: "right", cell: ({ channels }) => numbers.format(channels) },
    { title: texts.created, cell: ({ created_at }) => <Moment at={created_at} /> },
    {
      title: common.actions,
      quietTitle: true,
      align: "right",
      cell: (row) => (
        <WorkspaceActions
          workspace={row}
          scopes={scopesOf(row.workspace_id)}
          mayRemove={isAdministrator}
          onChoose={(what) => setDoing({ what, workspace: row })}
        />
      ),
    },
  ];
  return (
    <Page title={texts.title} lead={texts.lead} aside={create}>
      <Table
        label={texts.title}
        columns={columns}
        rows={list.items}
        keyOf={({ workspace_id }) => workspace_id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={
          <Empty title={texts.empty} hint={texts.emptyHint}>
            {create}
          </Empty>
        }
      />
      {creating && <WorkspaceForm onClose={() => setCreating(false)} />}
      {doing && (
        <WorkspaceDialog doing={doing.what} workspace={doing.workspace} onClose={() => setDoing(null)} />
      )}
    </Page>
  );
}
