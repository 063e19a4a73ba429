import type { FormEvent } from "react";
import { Refused, useSignIn } from "../../api/index.ts";
import { navigate, usePath } from "../../router/index.ts";
import { type Texts, useTexts } from "../../texts/index.ts";
import { Button, CopyLine, Notice, PasswordField, TextField, useOnce, wordsOf } from "../../ui/index.ts";

export function PasswordForm() {
  const texts = useTexts();
  const path = usePath();
  const signIn = useSignIn();
  const enter = useOnce((login: string, password: string) =>
    signIn.mutateAsync({ login, password }).then(
      () => path === "/signin" && navigate("/", { replace: true }),
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
      <section className="sign-in-first">
        <h2>{texts.signIn.firstTime}</h2>
        <p>{texts.signIn.firstTimeHint}</p>
        <CopyLine text="npx molva signin" />
      </section>
    </>
  );
}

function refusal(error: Error, texts: Texts): string {
  return error instanceof Refused && error.status === 401 ? texts.signIn.wrong : wordsOf(error, texts);
}
