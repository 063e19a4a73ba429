import { Plus } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { tell, useChange, useList, withQuery } from "../../api/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import {
  AskDialog,
  Badge,
  Button,
  Card,
  type Column,
  Empty,
  Moment,
  Page,
  Platform,
  Table,
  toast,
} from "../../ui/index.ts";
import { LimitDialog } from "./limit-dialog.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./limits.css";

const limit = z.object({
  platform: z.string(),
  rate_group: z.string(),
  rate_rps: z.nullable(z.number()),
  cooldown_until: z.nullable(z.string()),
  channels: z.number(),
});
export type Limit = z.infer<typeof limit>;

export const limitPath = (
  workspaceId: string,
  { platform, rate_group }: Pick<Limit, "platform" | "rate_group">,
) =>
  withQuery(`/limits/${encodeURIComponent(platform)}/${encodeURIComponent(rate_group)}`, {
    workspace_id: workspaceId,
  });

export function LimitsPage({ workspace }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const limits = useList("/limits", { workspace_id: workspace.id }, limit, { topic: "limits" });
  const [editing, setEditing] = useState<Limit | "new" | null>(null);
  const [removing, setRemoving] = useState<Limit | null>(null);
  const mayWrite = workspace.scopes.includes("write");
  const remove = useChange(
    (gone: Limit) => tell(limitPath(workspace.id, gone), { method: "DELETE" }),
    ["limits"],
  );
  const add = mayWrite && (
    <Button look="main" icon={<Plus aria-hidden="true" />} onClick={() => setEditing("new")}>
      {texts.add}
    </Button>
  );
  const columns: Column<Limit>[] = [
    { title: texts.group, isName: true, grows: true, cell: ({ rate_group }) => rate_group },
    { title: texts.platform, cell: ({ platform }) => <Platform name={platform} /> },
    {
      title: texts.rate,
      align: "right",
      cell: ({ rate_rps }) => (rate_rps ? texts.perSecond(rate_rps) : texts.noLimit),
    },
    { title: texts.channels, align: "right", cell: ({ channels }) => channels },
    { title: texts.state, cell: (each) => <State limit={each} /> },
    ...(mayWrite
      ? [
          {
            title: texts.change,
            quietTitle: true,
            cell: (each: Limit) => (
              <div className="limit-actions">
                <Button
                  look="quiet"
                  aria-label={texts.changeOf(each.rate_group)}
                  onClick={() => setEditing(each)}
                >
                  {texts.change}
                </Button>
                <Button
                  look="quiet"
                  aria-label={texts.removeOf(each.rate_group)}
                  onClick={() => setRemoving(each)}
                >
                  {texts.remove}
                </Button>
              </div>
            ),
          },
        ]
      : []),
  ];
  return (
    <Page title={texts.title} lead={texts.lead} aside={add}>
      <Table
        label={texts.title}
        columns={columns}
        rows={limits.items}
        keyOf={({ platform, rate_group }) => `${platform}/${rate_group}`}
        error={limits.error}
        onRetry={limits.refetch}
        empty={
          <Empty title={texts.empty} hint={texts.emptyHint}>
            {add}
          </Empty>
        }
        more={limits}
      />
      <Card title={texts.about}>
        <ul className="limits-about">
          {texts.explained.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Card>
      {editing && (
        <LimitDialog
          workspaceId={workspace.id}
          limit={editing === "new" ? undefined : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <AskDialog
          title={texts.ask(removing.rate_group)}
          submit={texts.remove}
          look="danger"
          act={() => remove.mutateAsync(removing)}
          onDone={() => toast(texts.gone(removing.rate_group))}
          onClose={() => setRemoving(null)}
        >
          <p>{texts.askHint}</p>
        </AskDialog>
      )}
    </Page>
  );
}

function State({ limit: { cooldown_until } }: { limit: Limit }) {
  const texts = usePageTexts({ ru, en });
  if (!cooldown_until || new Date(cooldown_until).getTime() <= Date.now())
    return <Badge tone="good">{texts.free}</Badge>;
  return (
    <Badge tone="warn">
      {texts.cooling} <Moment at={cooldown_until} />
    </Badge>
  );
}
