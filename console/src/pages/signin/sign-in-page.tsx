import { useEffect } from "react";
import type { Session } from "../../api/index.ts";
import { navigate, usePath } from "../../router/index.ts";
import { LanguageMenu, ThemeMenu } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Logo, useTitle } from "../../ui/index.ts";
import { FollowLink } from "./follow-link.tsx";
import { PasswordForm } from "./password-form.tsx";
import { useLink } from "./use-link.ts";
import "./sign-in.css";

/** Shown at /signin, and at every address while nobody is signed in, so that people land where they wanted to. */
export function SignInPage({ session }: { session: Session | null }) {
  const texts = useTexts();
  const path = usePath();
  useTitle(texts.signIn.title);
  const [link, forgetLink] = useLink();
  const welcomeBack = session !== null && path === "/signin" && link === null;
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
        <h1>{texts.signIn.title}</h1>
        {link === null ? (
          <PasswordForm />
        ) : (
          <FollowLink key={link} link={link} signedIn={session !== null} onDone={forgetLink} />
        )}
      </main>
    </div>
  );
}
