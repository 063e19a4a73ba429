import { type FormEvent, useState } from "react";
import { Refused, useSignIn } from "../../api/index.ts";
import { type Texts, useTexts } from "../../texts/index.ts";
import { Button, CopyLine, Notice, TextField, useOnce, wordsOf } from "../../ui/index.ts";

interface Props {
  readonly challenge: string;
  readonly onDone: () => void;
  /** From the first step again. */
  readonly onAgain: () => void;
}

/** The second step of signing in: a code of the app, or a recovery code. */
export function SecondStep({ challenge, onDone, onAgain }: Props) {
  const texts = useTexts();
  const words = texts.secondFactor.step;
  const signIn = useSignIn();
  const [byRecovery, setByRecovery] = useState(false);
  const send = useOnce((typed: string) =>
    signIn
      .mutateAsync(byRecovery ? { challenge, recovery_code: typed } : { challenge, code: typed })
      .then(onDone, () => undefined),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(String(new FormData(event.currentTarget).get("code")).trim());
  };
  const other = () => {
    signIn.reset();
    setByRecovery(!byRecovery);
  };
  const isOver = signIn.error instanceof Refused && signIn.error.problem.code === "second_step_expired";
  if (isOver) {
    return (
      <>
        <Notice tone="bad">{words.expired}</Notice>
        <Button look="main" onClick={onAgain}>
          {words.again}
        </Button>
      </>
    );
  }
  return (
    <>
      <form className="form" onSubmit={submit}>
        {!byRecovery && <p className="sign-in-hint">{words.hint}</p>}
        {signIn.isError && <Notice tone="bad">{refusal(signIn.error, byRecovery, texts)}</Notice>}
        {byRecovery ? (
          <TextField
            key="recovery"
            label={words.recovery}
            hint={words.recoveryHint}
            name="code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
          />
        ) : (
          <TextField
            key="code"
            label={texts.secondFactor.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            autoFocus
            required
          />
        )}
        <Button look="main" type="submit" busy={signIn.isPending}>
          {texts.signIn.submit}
        </Button>
        <Button look="quiet" onClick={other}>
          {byRecovery ? words.useCode : words.useRecovery}
        </Button>
      </form>
      {byRecovery && (
        <section className="sign-in-first">
          <p>{words.lost}</p>
          <CopyLine text="npx molva second-factor reset <login>" />
        </section>
      )}
    </>
  );
}

function refusal(error: Error, byRecovery: boolean, texts: Texts): string {
  const words = texts.secondFactor.step;
  const isWrong = error instanceof Refused && (error.status === 401 || error.status === 400);
  if (!isWrong) return wordsOf(error, texts);
  return byRecovery ? words.wrongRecovery : words.wrong;
}
