import type { FormEvent } from "react";
import { Refused, useSignIn } from "../../api/index.ts";
import { type Texts, useTexts } from "../../texts/index.ts";
import { Button, CopyLine, Notice, PasswordField, TextField, useOnce, wordsOf } from "../../ui/index.ts";
import { ProviderButton } from "./provider-button.tsx";

interface Props {
  /** The only one to sign in with here. */
  readonly login?: string;
  readonly onDone: () => void;
  readonly onSecondStep: (challenge: string) => void;
}

export function PasswordForm({ login: given, onDone, onSecondStep }: Props) {
  const texts = useTexts();
  const signIn = useSignIn();
  const enter = useOnce((login: string, password: string) =>
    signIn.mutateAsync({ login, password }).then(
      (challenge) => (challenge === undefined ? onDone() : onSecondStep(challenge)),
      () => undefined, // shown from signIn.error
    ),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    enter(String(form.get("login")).trim(), String(form.get("password")));
  };
  return (
    <>
      <form className="form" onSubmit={submit}>
        {signIn.isError && <Notice tone="bad">{refusal(signIn.error, texts)}</Notice>}
        <TextField
          label={texts.signIn.login}
          name="login"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...(given !== undefined && { value: given, readOnly: true })}
          required
        />
        <PasswordField
          label={texts.signIn.password}
          name="password"
          autoComplete="current-password"
          required
        />
        <Button look="main" type="submit" busy={signIn.isPending}>
          {texts.signIn.submit}
        </Button>
      </form>
      <ProviderButton />
      {given === undefined && (
        <section className="sign-in-first">
          <h2>{texts.signIn.firstTime}</h2>
          <p>{texts.signIn.firstTimeHint}</p>
          <CopyLine text="npx molva signin" />
        </section>
      )}
    </>
  );
}

function refusal(error: Error, texts: Texts): string {
  return error instanceof Refused && error.status === 401 ? texts.signIn.wrong : wordsOf(error, texts);
}
