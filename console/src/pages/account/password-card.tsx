import { type FormEvent, useState } from "react";
import { useSetPassword } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Card, faultOf, Notice, PasswordField, useOnce, wordsOf } from "../../ui/index.ts";

export function PasswordCard({ hasPassword, login }: { hasPassword: boolean; login: string }) {
  const texts = useTexts();
  const setPassword = useSetPassword();
  const [differ, setDiffer] = useState(false);
  const save = useOnce((form: HTMLFormElement, body: { current?: string; password: string }) =>
    setPassword.mutateAsync(body).then(
      () => form.reset(),
      () => undefined,
    ),
  );
  const faults = {
    current: faultOf(setPassword.error, "/current"),
    password: faultOf(setPassword.error, "/password"),
  };
  const isOther = setPassword.isError && !faults.current && !faults.password;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = String(form.get("password"));
    setDiffer(password !== form.get("repeat"));
    if (password !== form.get("repeat")) return;
    const current = form.get("current");
    save(event.currentTarget, { password, ...(typeof current === "string" && { current }) });
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
