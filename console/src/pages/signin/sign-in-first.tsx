import { useState } from "react";
import { useTexts } from "../../texts/index.ts";
import { PasswordForm } from "./password-form.tsx";
import { SecondStep } from "./second-step.tsx";

/** For an invitation of a login that exists: its owner signs in here, so that the link stays in this page and in no address. */
export function SignInFirst({ login }: { login: string }) {
  const texts = useTexts();
  const [challenge, setChallenge] = useState<string | null>(null);
  // Once signed in, the page shows the invitation by itself.
  const stay = () => undefined;
  if (challenge !== null)
    return <SecondStep challenge={challenge} onDone={stay} onAgain={() => setChallenge(null)} />;
  return (
    <>
      <p>{texts.invitation.signInFirst(login)}</p>
      <PasswordForm login={login} onDone={stay} onSecondStep={setChallenge} />
      <p className="sign-in-hint">{texts.invitation.signInHint}</p>
    </>
  );
}
