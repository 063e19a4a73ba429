import { useState } from "react";
import { useThing, type Workspace } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  Button,
  Card,
  Facts,
  Fault,
  FormDialog,
  numberIn,
  Skeleton,
  TextField,
  toast,
} from "../../ui/index.ts";
import { topic, useAlertActions } from "./api.ts";
import { type MonitorSettings, monitorSettings } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** When people are told. */
export function MonitorCard({ workspace }: { workspace: Workspace }) {
  const texts = usePageTexts({ ru, en });
  const { numbers } = useTexts();
  const settings = useThing("/monitor/settings", { workspace_id: workspace.id }, monitorSettings, { topic });
  const [changing, setChanging] = useState(false);
  const { data, error } = settings;
  return (
    <Card title={texts.when}>
      {error && !data && <Fault error={error} onRetry={() => void settings.refetch()} />}
      {!data && !error && <Skeleton height={96} />}
      {data && (
        <Facts
          facts={[
            [texts.refusals, texts.moreThan(numbers.format(data.failed_permanent_threshold))],
            [texts.paused, texts.moreThan(numbers.format(data.paused_channels_threshold))],
            [texts.cooldown, texts.minutes(numbers.format(data.alert_cooldown_seconds / 60))],
          ]}
        />
      )}
      {data && workspace.scopes.includes("write") && (
        <div className="card-actions">
          <Button onClick={() => setChanging(true)}>{texts.tune}</Button>
        </div>
      )}
      {data && changing && (
        <MonitorDialog workspaceId={workspace.id} settings={data} onClose={() => setChanging(false)} />
      )}
      <p className="soft alert-always">{texts.always}</p>
    </Card>
  );
}

interface DialogProps {
  readonly workspaceId: string;
  readonly settings: MonitorSettings;
  readonly onClose: () => void;
}

function MonitorDialog({ workspaceId, settings, onClose }: DialogProps) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const { setMonitor } = useAlertActions(workspaceId);
  return (
    <FormDialog
      title={texts.tune}
      submit={common.save}
      act={(form) =>
        setMonitor.mutateAsync({
          failed_permanent_threshold: numberIn(form, "refusals") ?? 0,
          paused_channels_threshold: numberIn(form, "paused") ?? 0,
          alert_cooldown_seconds: Math.round((numberIn(form, "cooldown") ?? 0) * 60),
        })
      }
      onDone={() => toast(texts.tuned)}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <TextField
            label={texts.refusals}
            hint={texts.refusalsHint}
            fault={fault("/failed_permanent_threshold")}
            name="refusals"
            type="number"
            min={0}
            max={1_000_000}
            required
            defaultValue={settings.failed_permanent_threshold}
          />
          <TextField
            label={texts.paused}
            hint={texts.pausedHint}
            fault={fault("/paused_channels_threshold")}
            name="paused"
            type="number"
            min={0}
            max={1_000_000}
            required
            defaultValue={settings.paused_channels_threshold}
          />
          <TextField
            label={texts.cooldown}
            hint={texts.cooldownHint}
            fault={fault("/alert_cooldown_seconds")}
            name="cooldown"
            type="number"
            min={0}
            max={10_080}
            step="any"
            required
            defaultValue={settings.alert_cooldown_seconds / 60}
          />
        </>
      )}
    </FormDialog>
  );
}
