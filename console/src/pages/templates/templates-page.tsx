import { Plus } from "lucide-react";
import { Link, navigate, useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Badge, Button, Empty, Moment, Page, Table, toast } from "../../ui/index.ts";
import { Editor } from "./editor.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useTemplates } from "./use-templates.ts";
import "./templates.css";

const pathOf = (id: string) => `/templates/${encodeURIComponent(id)}`;

export function TemplatesPage({ workspace }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const [query, setQuery] = useQueryOf("add");
  const templates = useTemplates(workspace.id);
  const mayWrite = workspace.scopes.includes("write");
  const add = mayWrite && (
    <Button look="main" icon={<Plus aria-hidden="true" />} onClick={() => setQuery({ add: "1" })}>
      {texts.add}
    </Button>
  );
  if (query.add === "1" && mayWrite)
    return (
      <Page title={texts.editor.addTitle} aside={<Link href="/templates">{texts.back}</Link>}>
        <Editor
          workspace={workspace}
          onSaved={({ template_id, version }) => {
            toast(texts.editor.saved(version));
            navigate(pathOf(template_id));
          }}
        />
      </Page>
    );
  return (
    <Page title={texts.title} lead={texts.lead} aside={templates.items?.length === 0 ? null : add}>
      <Table
        label={texts.title}
        rows={templates.items}
        keyOf={({ template_id }) => template_id}
        error={templates.error}
        onRetry={templates.refetch}
        more={templates}
        empty={
          <Empty title={texts.empty} hint={texts.emptyHint}>
            {add}
          </Empty>
        }
        columns={[
          {
            title: texts.columns.name,
            cell: ({ template_id }) => <Link href={pathOf(template_id)}>{template_id}</Link>,
          },
          { title: texts.columns.version, align: "right", cell: ({ version }) => version },
          {
            title: texts.columns.state,
            cell: ({ active }) => (
              <Badge tone={active ? "good" : "idle"}>{active ? texts.active : texts.draft}</Badge>
            ),
          },
          {
            title: texts.columns.start,
            grows: true,
            cell: ({ body }) => (
              <code className="template-start">{body.trim().split("\n")[0]?.slice(0, 120)}</code>
            ),
          },
          { title: texts.columns.saved, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </Page>
  );
}
