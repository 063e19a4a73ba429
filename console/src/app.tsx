/**
 * Decides what a person sees: loading, an error, an invitation, the sign-in page, the set-up of a second factor that is required, or the
 * console.
 */
import { useSession } from "./api/index.ts";
import { EnrolFirstPage, InvitationPage, SignInPage } from "./pages/signin/index.ts";
import { usePath } from "./router/index.ts";
import { Shell } from "./shell/index.ts";
import { useTexts } from "./texts/index.ts";
import { Logo } from "./ui/index.ts";
import "./app.css";

export function App() {
  const session = useSession();
  const path = usePath();
  if (session.data === undefined) return session.isError ? <NoServer /> : <Opening />;
  if (path === "/invitation") return <InvitationPage session={session.data} />;
  if (session.data === null || path === "/signin") return <SignInPage session={session.data} />;
  if (session.data.second_factor === "required") return <EnrolFirstPage session={session.data} />;
  return <Shell session={session.data} />;
}

function Opening() {
  const texts = useTexts();
  return (
    <main className="whole-page opening" aria-busy="true">
      <Logo />
      <span className="unseen">{texts.common.loading}</span>
    </main>
  );
}

function NoServer() {
  const { waiting } = useTexts();
  return (
    <main className="whole-page" role="alert">
      <Logo />
      <h1>{waiting.title}</h1>
      <p>{waiting.hint}</p>
    </main>
  );
}
