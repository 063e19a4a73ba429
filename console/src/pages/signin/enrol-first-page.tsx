import type { Session } from "../../api/index.ts";
import { useSignOut } from "../../api/index.ts";
import { LanguageMenu, ThemeMenu } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, useOnce, useTitle } from "../../ui/index.ts";
import { SecondFactorCard } from "../account/index.ts";
import "./sign-in.css";

/** In the place of the console, for who must have a second factor and has none yet. */
export function EnrolFirstPage({ session }: { session: Session }) {
  const texts = useTexts();
  const signOut = useSignOut();
  const leave = useOnce(() => signOut.mutateAsync().catch(() => undefined));
  useTitle(texts.secondFactor.title);
  return (
    <div className="sign-in">
      <header className="sign-in-tools">
        <LanguageMenu />
        <ThemeMenu />
        <Button look="quiet" onClick={leave}>
          {texts.bar.signOut}
        </Button>
      </header>
      <main className="enrol-first">
        <SecondFactorCard hasPassword={session.operator.has_password} />
      </main>
    </div>
  );
}
