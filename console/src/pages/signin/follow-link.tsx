import { useEffect, useRef } from "react";
import { Refused, useSignIn } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, CopyLine, Notice, wordsOf } from "../../ui/index.ts";

interface Props {
  readonly link: string;
  readonly signedIn: boolean;
  /** The link was used or abandoned. */
  readonly onDone: () => void;
  readonly onSecondStep: (challenge: string) => void;
}

export function FollowLink({ link, signedIn, onDone, onSecondStep }: Props) {
  const texts = useTexts();
  const signIn = useSignIn();
  const followed = useRef(false);
  const follow = () =>
    signIn.mutate(
      { link },
      {
        onSuccess: (challenge) => {
          if (challenge !== undefined) onSecondStep(challenge);
          onDone();
        },
      },
    );
  useEffect(() => {
    // A link works once: a second try would find it used.
    if (followed.current) return;
    followed.current = true;
    follow();
  });

  if (!signIn.isError) {
    return (
      <p className="sign-in-wait" role="status">
        <span className="spinner" aria-hidden="true" />
        {texts.signIn.following}
      </p>
    );
  }
  const other = (
    <Button onClick={onDone}>{signedIn ? texts.signIn.toConsole : texts.signIn.withPassword}</Button>
  );
  if (isDead(signIn.error)) {
    return (
      <>
        <Notice tone="bad" title={texts.signIn.deadLink} />
        <p>{texts.signIn.deadLinkHint}</p>
        <CopyLine text="npx molva signin" />
        {other}
      </>
    );
  }
  return (
    <>
      <Notice tone="bad" title={texts.signIn.linkFailed}>
        {wordsOf(signIn.error, texts)}
      </Notice>
      <Button look="main" onClick={follow}>
        {texts.signIn.tryLinkAgain}
      </Button>
      {other}
    </>
  );
}

/** Refused for good. Too many attempts (429) and server errors are temporary. */
function isDead(error: Error): boolean {
  return error instanceof Refused && error.status < 500 && error.status !== 429;
}
