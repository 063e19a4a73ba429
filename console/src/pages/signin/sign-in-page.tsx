import { useEffect, useState } from "react";
import type { Session } from "../../api/index.ts";
import { navigate, usePath } from "../../router/index.ts";
import { LanguageMenu, ThemeMenu } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Logo, Notice, useTitle } from "../../ui/index.ts";
import { FollowLink } from "./follow-link.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondStep } from "./second-step.tsx";
import { useArrival } from "./use-arrival.ts";
import { useLink } from "./use-link.ts";
import "./sign-in.css";

/** Shown at /signin, and at every address while nobody is signed in, so that people land where they wanted to. */
export function SignInPage({ session }: { session: Session | null }) {
  const texts = useTexts();
  const path = usePath();
  useTitle(texts.signIn.title);
  const [link, forgetLink] = useLink("/signin");
  const arrival = useArrival(texts);
  const [challenge, setChallenge] = useState(arrival.challenge);
  const enter = () => {
    if (path === "/signin") navigate(arrival.returnTo, { replace: true });
  };
  const welcomeBack = session !== null && path === "/signin" && link === null && challenge === null;
  useEffect(() => {
    if (welcomeBack) navigate("/", { replace: true });
  }, [welcomeBack]);

  if (welcomeBack) return null;
  return (
    <div className="sign-in">
      <header className="sign-in-tools">
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <main className="sign-in-card">
        <Logo />
        <h1>{challenge === null ? texts.signIn.title : texts.secondFactor.step.title}</h1>
        {arrival.refused && challenge === null && (
          <Notice tone="bad">{texts.signIn.refused[arrival.refused]}</Notice>
        )}
        {challenge !== null ? (
          <SecondStep challenge={challenge} onDone={enter} onAgain={() => setChallenge(null)} />
        ) : link === null ? (
          <PasswordForm onDone={enter} onSecondStep={setChallenge} />
        ) : (
          <FollowLink
            key={link}
            link={link}
            signedIn={session !== null}
            onDone={forgetLink}
            onSecondStep={setChallenge}
          />
        )}
      </main>
    </div>
  );
}
