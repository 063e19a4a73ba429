import { navigate } from "../../router/index.ts";
import { OverlapField, ShownOnce, useMade } from "../../secrets/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { AskDialog, FormDialog, numberIn, SelectField, TextField, textIn, toast } from "../../ui/index.ts";
import { useWebhookActions } from "./api.ts";
import { EventChoice, typesIn } from "./event-choice.tsx";
import type { Webhook, WithSecret } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export type Doing = "change" | "rotate" | "enable" | "disable" | "replay" | "remove";

interface Props {
  readonly doing: Doing;
  readonly webhook: Webhook;
  readonly workspaceId: string;
  readonly onClose: () => void;
}

export function WebhookDialog({ doing, webhook, workspaceId, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const act = useWebhookActions(workspaceId, webhook.webhook_id);
  switch (doing) {
    case "change":
      return (
        <FormDialog
          title={texts.changeTitle}
          submit={common.save}
          act={(form) => {
            const url = textIn(form, "url");
            return act.change.mutateAsync({
              ...(url !== "" && { url }),
              description: textIn(form, "description") || null,
              types: typesIn(form),
            });
          }}
          onDone={() => toast(common.saved)}
          onClose={onClose}
        >
          {(fault) => (
            <>
              <TextField
                label={texts.newUrl}
                hint={texts.newUrlHint(webhook.url)}
                fault={fault("/url")}
                name="url"
                type="url"
                maxLength={2048}
                autoComplete="off"
              />
              <TextField
                label={texts.description}
                fault={fault("/description")}
                name="description"
                maxLength={1000}
                autoComplete="off"
                defaultValue={webhook.description ?? ""}
              />
              <EventChoice types={webhook.types} fault={fault("/types")} />
            </>
          )}
        </FormDialog>
      );
    case "rotate":
      return <Rotate rotate={act.rotate.mutateAsync} onClose={onClose} />;
    case "enable":
    case "disable": {
      const enabled = doing === "enable";
      return (
        <AskDialog
          title={enabled ? texts.enableTitle : texts.disableTitle}
          submit={enabled ? texts.enable : texts.disable}
          look={enabled ? "main" : "danger"}
          asksReason
          act={(reason) => act.change.mutateAsync({ enabled, reason })}
          onDone={() => toast(enabled ? texts.enabled : texts.disabled)}
          onClose={onClose}
        >
          <p>{enabled ? texts.enableHint : texts.disableHint}</p>
        </AskDialog>
      );
    }
    case "replay":
      return (
        <FormDialog
          title={texts.replayTitle}
          submit={texts.replay}
          act={(form) =>
            act.replay.mutateAsync({
              failed_since: hoursAgo(numberIn(form, "hours") ?? 24),
              reason: textIn(form, "reason"),
            })
          }
          onDone={({ replayed }) => toast(texts.replayed(replayed))}
          onClose={onClose}
        >
          {(fault) => (
            <>
              <p>{texts.replayHint}</p>
              <SelectField label={texts.since} name="hours" defaultValue={24}>
                {([1, 24, 168, 720] as const).map((hours) => (
                  <option key={hours} value={hours}>
                    {texts.periods[hours]}
                  </option>
                ))}
              </SelectField>
              <Reason fault={fault("/reason")} />
            </>
          )}
        </FormDialog>
      );
    case "remove":
      return (
        <AskDialog
          title={texts.removeTitle}
          submit={common.remove}
          look="danger"
          asksReason
          typeToConfirm={webhook.url}
          act={(reason) => act.remove.mutateAsync(reason)}
          onDone={() => {
            toast(texts.removed);
            navigate("/webhooks");
          }}
          onClose={onClose}
        >
          <p>{texts.removeHint}</p>
        </AskDialog>
      );
  }
}

interface RotateProps {
  readonly rotate: ReturnType<typeof useWebhookActions>["rotate"]["mutateAsync"];
  readonly onClose: () => void;
}

function Rotate({ rotate, onClose }: RotateProps) {
  const texts = usePageTexts({ ru, en });
  const { made, keep, closeAsking } = useMade<WithSecret>(onClose);
  if (made)
    return (
      <ShownOnce title={texts.rotated} secrets={[{ text: made.secret }]} onClose={onClose}>
        <p className="soft">{texts.secretHint}</p>
      </ShownOnce>
    );
  return (
    <FormDialog
      title={texts.rotateTitle}
      submit={texts.rotate}
      act={(form) =>
        rotate({
          overlap_seconds: numberIn(form, "overlap_seconds") ?? 0,
          reason: textIn(form, "reason"),
        })
      }
      onDone={keep}
      onClose={closeAsking}
    >
      {(fault) => (
        <>
          <OverlapField hint={texts.overlapHint} />
          <Reason fault={fault("/reason")} />
        </>
      )}
    </FormDialog>
  );
}

function Reason({ fault }: { fault: string | undefined }) {
  const { common } = useTexts();
  return (
    <TextField
      label={common.reason}
      hint={common.reasonHint}
      fault={fault}
      name="reason"
      minLength={3}
      maxLength={200}
      required
      autoComplete="off"
    />
  );
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}
