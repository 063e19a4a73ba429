import { type FormEvent, useState } from "react";
import { useChange } from "../../../api/index.ts";
import { useTexts } from "../../../texts/index.ts";
import { Button, Notice, PasswordField, TextField, useOnce, wordsOf } from "../../../ui/index.ts";
import { faultUnder, namesField, storeCredential } from "../calls.ts";
import type { PlatformName } from "../shapes.ts";
import { useWords } from "../use-words.ts";
import type { GivenCredential } from "./credential-step.tsx";

interface CredentialField {
  readonly name: string;
  readonly secret: boolean;
}

/** What each platform asks for; Pinterest is connected in the browser. */
const fieldsOf: Readonly<Record<Exclude<PlatformName, "pinterest">, readonly CredentialField[]>> = {
  telegram: [{ name: "token", secret: true }],
  max: [{ name: "token", secret: true }],
  vk: [{ name: "token", secret: true }],
  wordpress: [
    { name: "url", secret: false },
    { name: "login", secret: false },
    { name: "app_password", secret: true },
  ],
};

interface Props {
  readonly workspaceId: string;
  readonly platform: PlatformName;
  readonly taken: readonly string[];
  readonly onStored: (credential: GivenCredential) => void;
}

/** Stores a token under a name. Names that are taken are refused here: storing would replace the token of other channels. */
export function NewCredentialForm({ workspaceId, platform, taken, onStored }: Props) {
  const { wizard } = useWords();
  const texts = useTexts();
  const [name, setName] = useState(() => freeName(platform, taken));
  const fields = platform === "pinterest" ? [] : fieldsOf[platform];
  const help: Readonly<Record<string, string>> = wizard.fieldHints;
  const labels: Readonly<Record<string, string>> = wizard.fields;
  const store = useChange(
    ({ auth_ref, values }: { auth_ref: string; values: Readonly<Record<string, string>> }) =>
      storeCredential(workspaceId, { platform, auth_ref }, values),
    ["credentials"],
  );
  const isTaken = taken.includes(name.trim());
  const send = useOnce(async (values: Readonly<Record<string, string>>) => {
    const auth_ref = name.trim();
    const stored = await store.mutateAsync({ auth_ref, values }).then(
      () => true,
      () => false, // shown from store.error
    );
    if (stored) onStored({ auth_ref, storedHere: true });
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isTaken) return;
    const form = new FormData(event.currentTarget);
    send(Object.fromEntries(fields.map((field) => [field.name, String(form.get(field.name)).trim()])));
  };
  return (
    <form className="form" onSubmit={submit}>
      <p className="soft">{wizard.where[platform]}</p>
      {store.error && !namesField(store.error) && <Notice tone="bad">{wordsOf(store.error, texts)}</Notice>}
      {fields.map((field) => {
        const Field = field.secret ? PasswordField : TextField;
        return (
          <Field
            key={field.name}
            label={labels[`${platform}.${field.name}`] ?? labels[field.name] ?? field.name}
            hint={help[`${platform}.${field.name}`] ?? (field.secret ? wizard.secretHint : undefined)}
            fault={faultUnder(store.error, `/fields/${field.name}`)}
            name={field.name}
            required
            autoComplete={field.secret ? "new-password" : "off"}
          />
        );
      })}
      <TextField
        label={wizard.credentialName}
        hint={wizard.credentialNameHint}
        fault={isTaken ? wizard.taken : faultUnder(store.error, "/auth_ref")}
        value={name}
        onChange={(event) => setName(event.target.value)}
        maxLength={200}
        required
        autoComplete="off"
      />
      <div className="form-actions">
        <Button look="main" type="submit" busy={store.isPending}>
          {wizard.store}
        </Button>
      </div>
    </form>
  );
}

export function freeName(platform: string, taken: readonly string[]): string {
  const names = Array.from({ length: taken.length + 1 }, (_, at) =>
    at === 0 ? platform : `${platform}-${at + 1}`,
  );
  return names.find((name) => !taken.includes(name)) ?? platform;
}
