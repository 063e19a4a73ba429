import { type Session, useInvitation } from "../../api/index.ts";
import { navigate } from "../../router/index.ts";
import { LanguageMenu, ThemeMenu } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Logo, Notice, useTitle } from "../../ui/index.ts";
import { InvitationForm } from "./invitation-form.tsx";
import { SignInFirst } from "./sign-in-first.tsx";
import { useLink } from "./use-link.ts";
import "./sign-in.css";

/** Shown at /invitation#<link>: whoever was invited chooses a name and a password, or signs in with the login they have. */
export function InvitationPage({ session }: { session: Session | null }) {
  const texts = useTexts();
  useTitle(texts.invitation.title);
  const [link] = useLink("/invitation");
  return (
    <div className="sign-in">
      <header className="sign-in-tools">
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <main className="sign-in-card">
        <Logo />
        <h1>{texts.invitation.title}</h1>
        {link === null ? <Dead /> : <Invited key={link} link={link} signedInAs={session?.operator.login} />}
      </main>
    </div>
  );
}

function Invited({ link, signedInAs }: { link: string; signedInAs: string | undefined }) {
  const texts = useTexts();
  const invitation = useInvitation(link);
  if (invitation.isError) return <Dead />;
  if (!invitation.data) {
    return (
      <p className="sign-in-wait" role="status">
        <span className="spinner" aria-hidden="true" />
        {texts.common.loading}
      </p>
    );
  }
  const { known, login } = invitation.data;
  if (known && login !== signedInAs) return <SignInFirst login={login} />;
  return <InvitationForm link={link} invitation={invitation.data} />;
}

function Dead() {
  const texts = useTexts();
  return (
    <>
      <Notice tone="bad" title={texts.invitation.dead} />
      <p>{texts.invitation.deadHint}</p>
      <Button onClick={() => navigate("/", { replace: true })}>{texts.signIn.toConsole}</Button>
    </>
  );
}
