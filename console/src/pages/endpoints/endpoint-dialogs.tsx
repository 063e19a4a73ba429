import type { ReactNode } from "react";
import { navigate } from "../../router/index.ts";
import { OverlapField, useMade } from "../../secrets/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  AreaField,
  AskDialog,
  FormDialog,
  numberIn,
  SelectField,
  TextField,
  textIn,
  toast,
} from "../../ui/index.ts";
import { useEndpointActions } from "./api.ts";
import type { Doing } from "./endpoint-actions.tsx";
import { EndpointLimits, limitsIn } from "./endpoint-limits.tsx";
import { EndpointSecret } from "./endpoint-secret.tsx";
import type { Endpoint, Opened } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly doing: Doing;
  readonly endpoint: Endpoint;
  readonly workspaceId: string;
  readonly onClose: () => void;
}

export function EndpointDialog({ doing, endpoint, workspaceId, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const act = useEndpointActions(workspaceId, endpoint.endpoint_id);
  const name = endpoint.name ?? texts.kinds[endpoint.kind];
  switch (doing) {
    case "change":
      return <ChangeEndpoint endpoint={endpoint} change={act.change.mutateAsync} onClose={onClose} />;
    case "rotate":
      return (
        <NewSecret
          title={texts.rotateTitle(name)}
          submit={texts.rotate}
          ready={texts.rotated}
          act={(form) =>
            act.rotate.mutateAsync({
              overlap_seconds: numberIn(form, "overlap_seconds") ?? 0,
              reason: textIn(form, "reason"),
            })
          }
          // The endpoint with the new secrets is another one.
          onKept={({ endpoint_id }) => navigate(`/endpoints/${endpoint_id}`, { replace: true })}
          onClose={onClose}
        >
          <OverlapField hint={texts.overlapHint} />
        </NewSecret>
      );
    case "sign":
      return (
        <NewSecret
          title={texts.signTitle(name)}
          submit={texts.submitSign}
          ready={texts.signed}
          act={(form) => act.sign.mutateAsync({ mode: textIn(form, "mode"), reason: textIn(form, "reason") })}
          onClose={onClose}
        >
          <p>{texts.signHint}</p>
          <SelectField label={texts.mode} name="mode">
            <option value="either">{texts.modes.either}</option>
            <option value="signature">{texts.modes.signature}</option>
          </SelectField>
        </NewSecret>
      );
    case "enable":
    case "disable": {
      const enabled = doing === "enable";
      return (
        <AskDialog
          title={enabled ? texts.enableTitle(name) : texts.disableTitle(name)}
          submit={enabled ? texts.enable : texts.disable}
          look={enabled ? "main" : "danger"}
          asksReason
          act={(reason) => act.enable.mutateAsync({ enabled, reason })}
          onDone={() => toast(enabled ? texts.enabled(name) : texts.disabled(name))}
          onClose={onClose}
        >
          <p>{enabled ? texts.enableHint : texts.disableHint}</p>
        </AskDialog>
      );
    }
    case "remove":
      return (
        <AskDialog
          title={texts.removeTitle(name)}
          submit={common.remove}
          look="danger"
          asksReason
          typeToConfirm={name}
          act={(reason) => act.remove.mutateAsync(reason)}
          onDone={() => {
            toast(texts.removed(name));
            navigate("/endpoints");
          }}
          onClose={onClose}
        >
          <p>{texts.removeHint}</p>
        </AskDialog>
      );
  }
}

function ChangeEndpoint({
  endpoint,
  change,
  onClose,
}: {
  endpoint: Endpoint;
  change: ReturnType<typeof useEndpointActions>["change"]["mutateAsync"];
  onClose: () => void;
}) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const mayChooseMode = endpoint.has_signing_secret;
  return (
    <FormDialog
      title={texts.changeTitle}
      submit={common.save}
      act={(form) =>
        change({
          name: textIn(form, "name"),
          description: textIn(form, "description") || null,
          ...(mayChooseMode && { mode: textIn(form, "mode") }),
          ...limitsIn(form),
        })
      }
      onDone={() => toast(common.saved)}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <TextField
            label={texts.name}
            fault={fault("/name")}
            name="name"
            maxLength={200}
            required
            autoComplete="off"
            defaultValue={endpoint.name ?? ""}
          />
          <AreaField
            label={texts.description}
            hint={texts.descriptionHint}
            fault={fault("/description")}
            name="description"
            rows={2}
            maxLength={1000}
            defaultValue={endpoint.description ?? ""}
          />
          {mayChooseMode && (
            <SelectField label={texts.mode} fault={fault("/mode")} name="mode" defaultValue={endpoint.mode}>
              {(["secret", "either", "signature"] as const).map((mode) => (
                <option key={mode} value={mode}>
                  {texts.modes[mode]}
                </option>
              ))}
            </SelectField>
          )}
          <EndpointLimits endpoint={endpoint} fault={fault} />
        </>
      )}
    </FormDialog>
  );
}

interface NewSecretProps {
  readonly title: string;
  readonly submit: string;
  /** The title above the secrets. */
  readonly ready: string;
  readonly act: (form: FormData) => Promise<Opened>;
  readonly onKept?: (opened: Opened) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks why, then shows the new secrets once. */
function NewSecret({ title, submit, ready, act, onKept, onClose, children }: NewSecretProps) {
  const { common } = useTexts();
  const { made, keep, closeAsking } = useMade<Opened>(onClose);
  if (made)
    return (
      <EndpointSecret
        title={ready}
        opened={made}
        onClose={() => {
          onClose();
          onKept?.(made);
        }}
      />
    );
  return (
    <FormDialog title={title} submit={submit} act={act} onDone={keep} onClose={closeAsking}>
      {(fault) => (
        <>
          {children}
          <TextField
            label={common.reason}
            hint={common.reasonHint}
            fault={fault("/reason")}
            name="reason"
            maxLength={200}
            required
            autoComplete="off"
          />
        </>
      )}
    </FormDialog>
  );
}
