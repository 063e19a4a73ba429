import { useState } from "react";
import { Button, Fault, Notice, SelectField, Skeleton } from "../../../ui/index.ts";
import { useAllChannels, useCredentials } from "../calls.ts";
import type { PlatformName } from "../shapes.ts";
import { useWords } from "../use-words.ts";
import { ConnectForm } from "./connect-form.tsx";
import { NewCredentialForm } from "./new-credential-form.tsx";

export interface GivenCredential {
  readonly auth_ref: string;
  /** Stored in this wizard, so that it goes with the channel when that is removed. */
  readonly storedHere: boolean;
}

interface Props {
  readonly workspaceId: string;
  readonly platform: PlatformName;
  readonly mayStore: boolean;
  readonly onChosen: (credential: GivenCredential) => void;
}

/** A credential that is there already, or a new one. Without the right to list them, those that channels use. */
export function CredentialStep({ workspaceId, platform, mayStore, onChosen }: Props) {
  const { wizard } = useWords();
  const credentials = useCredentials(workspaceId, mayStore);
  const channels = useAllChannels(workspaceId);
  const [isNew, setIsNew] = useState(false);
  const error = credentials.error ?? channels.error;
  if (error) return <Fault error={error} />;
  if ((mayStore && !credentials.data) || !channels.data) return <Skeleton height={80} />;
  const known = [...(credentials.data ?? []), ...channels.data.filter(({ has_credential }) => has_credential)]
    .filter((each) => each.platform === platform)
    .map(({ auth_ref }) => auth_ref);
  const names = [...new Set(known)].sort();
  if (mayStore && (isNew || names.length === 0)) {
    const Form = platform === "pinterest" ? ConnectForm : NewCredentialForm;
    return (
      <>
        <Form workspaceId={workspaceId} platform={platform} taken={names} onStored={onChosen} />
        {names.length > 0 && (
          <div>
            <Button look="quiet" onClick={() => setIsNew(false)}>
              {wizard.chooseKnown}
            </Button>
          </div>
        )}
      </>
    );
  }
  if (names.length === 0) return <Notice tone="warn">{wizard.noCredentials}</Notice>;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        onChosen({
          auth_ref: String(new FormData(event.currentTarget).get("auth_ref")),
          storedHere: false,
        });
      }}
    >
      <SelectField label={wizard.credential} hint={wizard.credentialHint} name="auth_ref">
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <div className="form-actions">
        {mayStore && <Button onClick={() => setIsNew(true)}>{wizard.newCredential}</Button>}
        <Button look="main" type="submit">
          {wizard.next}
        </Button>
      </div>
      {!mayStore && <p className="soft">{wizard.askAdmin}</p>}
    </form>
  );
}
