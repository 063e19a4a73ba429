import { useState } from "react";
import { useList, type Workspace } from "../../api/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { AskDialog, Button, Card, Facts, Moment, toast, ZonedTime } from "../../ui/index.ts";
import { topic, useEndpointActions } from "./api.ts";
import { type Endpoint, endpoint as shape } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Secrets from before a rotation: whether they still work, and whether anybody still uses them. */
export function OldSecrets({ workspace, endpoint }: { workspace: Workspace; endpoint: Endpoint }) {
  const texts = usePageTexts({ ru, en });
  const { items } = useList("/endpoints", { workspace_id: workspace.id }, shape, { topic, limit: 200 });
  const old = items?.filter(
    ({ address, endpoint_id, replaced_by }) =>
      address === endpoint.address && endpoint_id !== endpoint.endpoint_id && replaced_by !== null,
  );
  if (!old || old.length === 0) return null;
  return (
    <Card title={texts.oldSecrets}>
      <div className="stack">
        {old.toReversed().map((each) => (
          <OldSecret key={each.endpoint_id} old={each} workspace={workspace} />
        ))}
      </div>
    </Card>
  );
}

function OldSecret({ old, workspace }: { old: Endpoint; workspace: Workspace }) {
  const texts = usePageTexts({ ru, en });
  const [ending, setEnding] = useState(false);
  const { enable } = useEndpointActions(workspace.id, old.endpoint_id);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const works = old.ends_at !== null && new Date(old.ends_at) > new Date();
  return (
    <div>
      <Facts
        facts={[
          [texts.oldSince, <Moment key="since" at={old.created_at} />],
          [
            texts.oldUntil,
            works && old.ends_at ? <ZonedTime key="until" at={old.ends_at} zone={zone} /> : texts.oldEnded,
          ],
          [texts.oldUsed, old.last_used_at ? <Moment key="used" at={old.last_used_at} /> : texts.oldUnused],
        ]}
      />
      {works && workspace.scopes.includes("operate") && (
        <div className="card-actions">
          <Button onClick={() => setEnding(true)}>{texts.endNow}</Button>
        </div>
      )}
      {ending && (
        <AskDialog
          title={texts.endTitle}
          submit={texts.endNow}
          look="danger"
          asksReason
          act={(reason) => enable.mutateAsync({ enabled: false, reason })}
          onDone={() => toast(texts.ended)}
          onClose={() => setEnding(false)}
        >
          <p>{texts.endHint}</p>
        </AskDialog>
      )}
    </div>
  );
}
