import { useState } from "react";
import { useThing } from "../../api/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Card, Columns, CopyLine, Facts, Moment, Notice, Page, Thing } from "../../ui/index.ts";
import { topic } from "./api.ts";
import { type Doing, EndpointActions } from "./endpoint-actions.tsx";
import { EndpointDialog } from "./endpoint-dialogs.tsx";
import { EndpointRuns } from "./endpoint-runs.tsx";
import { EndpointState } from "./endpoint-state.tsx";
import { OldSecrets } from "./old-secrets.tsx";
import { addressOf } from "./samples.ts";
import { type Endpoint, endpoint } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export function EndpointPage({ workspace, params }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const query = useThing(
    `/endpoints/${encodeURIComponent(params.id ?? "")}`,
    { workspace_id: workspace.id },
    endpoint,
    { topic },
  );
  const [doing, setDoing] = useState<Doing | null>(null);
  return (
    <Thing query={query} list={{ path: "/endpoints", title: texts.title }}>
      {(found) => (
        <Page
          title={found.name ?? texts.kinds[found.kind]}
          lead={found.description ?? texts.kindHints[found.kind]}
          aside={<EndpointActions endpoint={found} scopes={workspace.scopes} onChoose={setDoing} />}
        >
          {found.replaced_by && <Notice tone="warn">{texts.isReplaced}</Notice>}
          {!found.enabled && !found.replaced_by && <Notice tone="warn">{texts.isClosed}</Notice>}
          <Columns>
            <EndpointFacts endpoint={found} />
            <OldSecrets workspace={workspace} endpoint={found} />
          </Columns>
          <EndpointRuns workspaceId={workspace.id} id={found.endpoint_id} />
          {doing && (
            <EndpointDialog
              doing={doing}
              endpoint={found}
              workspaceId={workspace.id}
              onClose={() => setDoing(null)}
            />
          )}
        </Page>
      )}
    </Thing>
  );
}

function EndpointFacts({ endpoint: found }: { endpoint: Endpoint }) {
  const texts = usePageTexts({ ru, en });
  const { numbers } = useTexts();
  const address = addressOf(location.origin, found);
  return (
    <Card title={texts.facts} aside={<EndpointState endpoint={found} />}>
      <Facts
        facts={[
          [texts.address, address && <CopyLine key="address" text={address} wrap />],
          [texts.mode, found.kind === "pull_source" ? null : texts.modes[found.mode]],
          [texts.rate, texts.rateOf(found.ingress_rps)],
          [
            texts.size,
            found.max_payload_bytes === 0
              ? texts.noSize
              : texts.kilobytes(numbers.format(found.max_payload_bytes / 1024)),
          ],
          [texts.window, texts.seconds(found.hash_drop_window_sec)],
          [texts.networks, found.networks.length === 0 ? texts.everywhere : found.networks.join(", ")],
          [texts.keepBodies, found.keep_bodies ? texts.yes : texts.no],
          [texts.source, found.source_id],
          [texts.created, <Moment key="created" at={found.created_at} />],
        ]}
      />
    </Card>
  );
}
