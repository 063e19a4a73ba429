/** Decides which of four things a person sees: loading, an error, the sign-in page or the console. */
import { useSession } from "./api/index.ts";
import { SignInPage } from "./pages/signin/index.ts";
import { usePath } from "./router/index.ts";
import { Shell } from "./shell/index.ts";
import { useTexts } from "./texts/index.ts";
import { Logo } from "./ui/index.ts";
import "./app.css";

export function App() {
  const session = useSession();
  const path = usePath();
  if (session.data === undefined) return session.isError ? <NoServer /> : <Opening />;
  if (session.data === null || path === "/signin") return <SignInPage session={session.data} />;
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
