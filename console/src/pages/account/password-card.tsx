import { type FormEvent, useState } from "react";
import { type PasswordChange, useSetPassword } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Card, faultOf, Notice, PasswordField, TextField, useOnce, wordsOf } from "../../ui/index.ts";

interface Props {
  readonly hasPassword: boolean;
  /** Who has a second factor and no password proves themselves by a code. */
  readonly asksForCode: boolean;
  readonly login: string;
}

export function PasswordCard({ hasPassword, asksForCode, login }: Props) {
  const texts = useTexts();
  const setPassword = useSetPassword();
  const [differ, setDiffer] = useState(false);
  const save = useOnce((form: HTMLFormElement, body: PasswordChange) =>
    setPassword.mutateAsync(body).then(
      () => form.reset(),
      () => undefined,
    ),
  );
  const faults = {
    current: faultOf(setPassword.error, "/current"),
    code: faultOf(setPassword.error, "/code"),
    password: faultOf(setPassword.error, "/password"),
  };
  const isOther = setPassword.isError && !faults.current && !faults.code && !faults.password;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = String(form.get("password"));
    setDiffer(password !== form.get("repeat"));
    if (password !== form.get("repeat")) return;
    const current = form.get("current");
    const code = form.get("code");
    save(event.currentTarget, {
      password,
      ...(typeof current === "string" && { current }),
      ...(typeof code === "string" && { code: code.replaceAll(/\s/g, "") }),
    });
  };
  return (
    <Card title={hasPassword ? texts.account.passwordChange : texts.account.passwordSet}>
      <form className="form" onSubmit={submit}>
        <p className="account-hint">
          {hasPassword ? texts.account.passwordChangeHint : texts.account.passwordSetHint}
        </p>
        {setPassword.isSuccess && <Notice tone="good">{texts.account.saved}</Notice>}
        {isOther && <Notice tone="bad">{wordsOf(setPassword.error, texts)}</Notice>}
        {/* Lets a password manager know whose password it keeps. */}
        <input
          className="unseen"
          type="text"
          name="username"
          autoComplete="username"
          value={login}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        {hasPassword && (
          <PasswordField
            label={texts.account.current}
            name="current"
            autoComplete="current-password"
            fault={faults.current}
            required
          />
        )}
        {asksForCode && (
          <TextField
            label={texts.secondFactor.code}
            hint={texts.secondFactor.codeHint}
            fault={faults.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        )}
        <PasswordField
          label={texts.account.password}
          hint={texts.account.passwordHint}
          name="password"
          autoComplete="new-password"
          fault={faults.password}
          required
        />
        <PasswordField
          label={texts.account.repeat}
          name="repeat"
          autoComplete="new-password"
          fault={differ ? texts.account.mismatch : undefined}
          onChange={() => setDiffer(false)}
          required
        />
        <div>
          <Button look="main" type="submit" busy={setPassword.isPending}>
            {texts.account.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}
