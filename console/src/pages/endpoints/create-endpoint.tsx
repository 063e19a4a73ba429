import { useState } from "react";
import { useMade } from "../../secrets/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { FormDialog, SelectField, TextField, textIn } from "../../ui/index.ts";
import { useCreateEndpoint } from "./api.ts";
import { EndpointLimits, limitsIn } from "./endpoint-limits.tsx";
import { EndpointSecret } from "./endpoint-secret.tsx";
import type { Opened } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Asks what the endpoint is for, then shows its secret and a request that is ready to run. */
export function CreateEndpoint({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const texts = usePageTexts({ ru, en });
  const create = useCreateEndpoint(workspaceId);
  const { made, keep, closeAsking } = useMade<Opened>(onClose);
  const [kind, setKind] = useState("webhook_push");
  if (made)
    return <EndpointSecret title={texts.madeTitle(made.name ?? "")} opened={made} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.create}
      submit={texts.submitCreate}
      act={(form) =>
        create.mutateAsync({
          name: textIn(form, "name"),
          kind,
          ...(kind === "webhook_push" && { mode: textIn(form, "mode") }),
          ...limitsIn(form),
        })
      }
      onDone={keep}
      onClose={closeAsking}
    >
      {(fault) => (
        <>
          <TextField
            label={texts.name}
            hint={texts.nameHint}
            fault={fault("/name")}
            name="name"
            maxLength={200}
            pattern=".*\S.*"
            required
            autoFocus
            autoComplete="off"
          />
          <SelectField
            label={texts.kind}
            hint={texts.kindHints[kind === "webhook_push" ? "webhook_push" : "bot_webhook"]}
            value={kind}
            onChange={(event) => setKind(event.target.value)}
          >
            <option value="webhook_push">{texts.kinds.webhook_push}</option>
            <option value="bot_webhook">{texts.kinds.bot_webhook}</option>
          </SelectField>
          {kind === "webhook_push" && (
            <SelectField label={texts.mode} hint={texts.modeHint} fault={fault("/mode")} name="mode">
              <option value="secret">{texts.modes.secret}</option>
              <option value="either">{texts.modes.either}</option>
              <option value="signature">{texts.modes.signature}</option>
            </SelectField>
          )}
          <EndpointLimits fault={fault} />
        </>
      )}
    </FormDialog>
  );
}
