import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { useChange } from "../../../api/index.ts";
import { useTexts } from "../../../texts/index.ts";
import { Button, Moment, Notice, TextField, useOnce, wordsOf } from "../../../ui/index.ts";
import { connectLink, faultUnder, useCredentials } from "../calls.ts";
import type { PlatformName } from "../shapes.ts";
import { useWords } from "../use-words.ts";
import type { GivenCredential } from "./credential-step.tsx";
import { freeName } from "./new-credential-form.tsx";

interface Props {
  readonly workspaceId: string;
  readonly platform: PlatformName;
  readonly taken: readonly string[];
  readonly onStored: (credential: GivenCredential) => void;
}

/** The owner of the account gives access on the platform's own page; the credential is there when they have. */
export function ConnectForm({ workspaceId, platform, taken, onStored }: Props) {
  const { wizard } = useWords();
  const texts = useTexts();
  // The list grows by this very name; what was free at first stays the proposal.
  const [name, setName] = useState(() => freeName(platform, taken));
  const [before] = useState(taken);
  const connect = useChange((auth_ref: string) => connectLink(workspaceId, { platform, auth_ref }), []);
  const link = connect.data;
  const credentials = useCredentials(workspaceId, true, link ? 2_000 : undefined);
  const auth_ref = name.trim();
  const isTaken = before.includes(auth_ref);
  const isThere =
    link !== undefined &&
    (credentials.data ?? []).some((each) => each.platform === platform && each.auth_ref === auth_ref);
  useEffect(() => {
    if (isThere) onStored({ auth_ref, storedHere: true });
  }, [isThere, auth_ref, onStored]);
  const send = useOnce(() => connect.mutateAsync(auth_ref).catch(() => undefined));
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTaken) send();
      }}
    >
      <p className="soft">{wizard.where[platform]}</p>
      {connect.error && <Notice tone="bad">{wordsOf(connect.error, texts)}</Notice>}
      <TextField
        label={wizard.credentialName}
        hint={wizard.credentialNameHint}
        fault={isTaken ? wizard.taken : faultUnder(connect.error, "/auth_ref")}
        value={name}
        onChange={(event) => setName(event.target.value)}
        readOnly={link !== undefined}
        maxLength={200}
        required
        autoComplete="off"
      />
      {link ? (
        <>
          <div>
            <a className="button main" href={link.url} target="_blank" rel="noopener">
              <ExternalLink aria-hidden="true" />
              {wizard.openConsent}
            </a>
          </div>
          <p className="soft" role="status">
            {wizard.waitingConsent} <Moment at={link.expires_at} />
          </p>
        </>
      ) : (
        <div className="form-actions">
          <Button look="main" type="submit" busy={connect.isPending}>
            {wizard.connect}
          </Button>
        </div>
      )}
    </form>
  );
}
