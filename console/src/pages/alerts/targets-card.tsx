import { Pencil, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import type { PagedList, Workspace } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { AskDialog, Badge, Button, Card, Fault, Notice, Skeleton, toast, wordsOf } from "../../ui/index.ts";
import { useAlertActions } from "./api.ts";
import type { Target } from "./shapes.ts";
import { TargetDialog } from "./target-dialog.tsx";
import { targetName } from "./target-name.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./alerts.css";

/** Whom alerts go to. */
export function TargetsCard({ workspace, targets }: { workspace: Workspace; targets: PagedList<Target> }) {
  const texts = usePageTexts({ ru, en });
  const { items, error, refetch } = targets;
  return (
    <Card title={texts.targets}>
      {error && !items && <Fault error={error} onRetry={refetch} />}
      {!items && !error && <Skeleton height={96} />}
      {items?.length === 0 && <Notice tone="warn">{texts.noTargets}</Notice>}
      <ul className="alert-targets">
        {items?.map((each) => (
          <OneTarget key={each.target_id} target={each} workspace={workspace} />
        ))}
      </ul>
    </Card>
  );
}

function OneTarget({ target, workspace }: { target: Target; workspace: Workspace }) {
  const texts = usePageTexts({ ru, en });
  const all = useTexts();
  const { test, remove } = useAlertActions(workspace.id);
  const [doing, setDoing] = useState<"change" | "remove" | null>(null);
  const name = targetName(target);
  const isAdmin = workspace.scopes.includes("admin");
  return (
    <li>
      <div className="alert-target-what">
        <h3 className="breaks">{name}</h3>
        <Badge tone={target.enabled ? "good" : "idle"}>{target.enabled ? texts.on : texts.off}</Badge>
      </div>
      <p className="soft">
        {texts.kinds[target.kind]}, {texts.counts(target.sent_count, target.failed_count)}
      </p>
      {target.last_error && <p className="soft breaks">{texts.lastError(target.last_error)}</p>}
      {test.error && <Notice tone="bad">{wordsOf(test.error, all)}</Notice>}
      {test.data && (
        <Notice tone={test.data.delivered ? "good" : "bad"}>
          {test.data.delivered ? texts.testArrived : texts.testFailed(test.data.error)}
        </Notice>
      )}
      <div className="alert-target-actions">
        {workspace.scopes.includes("operate") && (
          <Button
            icon={<Send aria-hidden="true" />}
            busy={test.isPending}
            aria-label={texts.testOf(name)}
            onClick={() => test.mutate(target.target_id)}
          >
            {texts.test}
          </Button>
        )}
        {isAdmin && (
          <>
            <Button
              icon={<Pencil aria-hidden="true" />}
              aria-label={texts.changeOf(name)}
              onClick={() => setDoing("change")}
            >
              {all.common.change}
            </Button>
            <Button
              look="quiet"
              icon={<Trash2 aria-hidden="true" />}
              aria-label={texts.removeOf(name)}
              onClick={() => setDoing("remove")}
            >
              {all.common.remove}
            </Button>
          </>
        )}
      </div>
      {doing === "change" && (
        <TargetDialog workspaceId={workspace.id} target={target} onClose={() => setDoing(null)} />
      )}
      {doing === "remove" && (
        <AskDialog
          title={texts.removeTitle(name)}
          submit={all.common.remove}
          look="danger"
          asksReason
          act={(reason) => remove.mutateAsync({ id: target.target_id, reason })}
          onDone={() => toast(texts.removed)}
          onClose={() => setDoing(null)}
        >
          <p>{texts.removeHint}</p>
        </AskDialog>
      )}
    </li>
  );
}
