import { Plus } from "lucide-react";
import { useState } from "react";
import { useList } from "../../api/index.ts";
import { Link, useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Button, type Column, Empty, FilterField, Moment, Page, Table, Toolbar } from "../../ui/index.ts";
import { topic } from "./api.ts";
import { CreateEndpoint } from "./create-endpoint.tsx";
import { EndpointState } from "./endpoint-state.tsx";
import { type Endpoint, endpoint } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const shown = ["", "true", "false"] as const;

export function EndpointsPage({ workspace }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const [query, change] = useQueryOf("enabled");
  const enabled = shown.find((value) => value === query.enabled) ?? "";
  const list = useList("/endpoints", { workspace_id: workspace.id, enabled }, endpoint, {
    topic,
    limit: 200,
  });
  const [creating, setCreating] = useState(false);
  const create = workspace.scopes.includes("write") && (
    <Button look="main" icon={<Plus aria-hidden="true" />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  const columns: Column<Endpoint>[] = [
    {
      title: texts.name,
      grows: true,
      cell: (row) => <Link href={`/endpoints/${row.endpoint_id}`}>{row.name ?? texts.kinds[row.kind]}</Link>,
    },
    { title: texts.stateTitle, cell: (row) => <EndpointState endpoint={row} /> },
    { title: texts.kind, cell: ({ kind }) => texts.kinds[kind] },
    { title: texts.mode, cell: ({ kind, mode }) => (kind === "pull_source" ? "—" : texts.modes[mode]) },
    { title: texts.rate, align: "right", cell: ({ ingress_rps }) => texts.rateOf(ingress_rps) },
    { title: texts.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  ];
  return (
    <Page title={texts.title} lead={texts.lead} aside={create}>
      <Toolbar>
        <FilterField
          label={texts.filter}
          value={enabled}
          choices={shown.map((value) => ({ value, title: texts.filters[value === "" ? "all" : value] }))}
          onChoose={(value) => change({ enabled: value })}
        />
      </Toolbar>
      <Table
        label={texts.title}
        columns={columns}
        // Secrets before a rotation are told of on the page of the endpoint.
        rows={list.items?.filter(({ replaced_by }) => replaced_by === null)}
        keyOf={({ endpoint_id }) => endpoint_id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={
          <Empty
            title={enabled === "" ? texts.empty : texts.emptyFiltered}
            hint={enabled === "" ? texts.emptyHint : texts.emptyFilteredHint}
          >
            {enabled === "" && create}
          </Empty>
        }
      />
      {creating && <CreateEndpoint workspaceId={workspace.id} onClose={() => setCreating(false)} />}
    </Page>
  );
}
