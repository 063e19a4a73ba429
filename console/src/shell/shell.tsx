import { X } from "lucide-react";
import { type PointerEvent, Suspense, useRef } from "react";
import { type Session, useStream } from "../api/index.ts";
import { Crash } from "../crash.tsx";
import { workspaceId } from "../preferences/index.ts";
import { Link, usePath } from "../router/index.ts";
import { useTexts } from "../texts/index.ts";
import { Logo, Toasts } from "../ui/index.ts";
import { Navigation } from "./navigation.tsx";
import { NotFound } from "./not-found.tsx";
import { Palette } from "./palette.tsx";
import { pageAt, sectionsFor } from "./sections.ts";
import { TopBar } from "./top-bar.tsx";
import "./shell.css";

/** The frame around every page: navigation on the left, a bar on top; on a phone the navigation is a drawer. */
export function Shell({ session }: { session: Session }) {
  const texts = useTexts();
  const path = usePath();
  const chosen = workspaceId.use();
  const drawer = useRef<HTMLDialogElement>(null);
  const workspace = session.workspaces.find(({ id }) => id === chosen) ?? session.workspaces[0];
  const found = pageAt(path, sectionsFor(session));
  const liveness = useStream(workspace?.id);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {texts.nav.skip}
      </a>
      <aside className="side">
        <div className="side-body">
          <Brand />
          <Navigation session={session} path={path} />
        </div>
      </aside>
      <dialog ref={drawer} className="drawer" aria-label={texts.nav.label} onPointerDown={closeOutside}>
        <div className="drawer-body">
          <div className="drawer-head">
            <Brand />
            <form method="dialog">
              <button type="submit" className="icon-button" aria-label={texts.common.close}>
                <X aria-hidden="true" />
              </button>
            </form>
          </div>
          <Navigation session={session} path={path} onFollow={() => drawer.current?.close()} />
        </div>
      </dialog>
      <TopBar
        session={session}
        workspace={workspace}
        liveness={liveness}
        onMenu={() => drawer.current?.showModal()}
      />
      <main id="content" tabIndex={-1}>
        <Crash key={path}>
          <Suspense fallback={<div className="page" aria-busy="true" />}>
            {found ? (
              <found.Page key={workspace?.id} session={session} workspace={workspace} params={found.params} />
            ) : (
              <NotFound />
            )}
          </Suspense>
        </Crash>
      </main>
      <Palette session={session} workspace={workspace} />
      <Toasts />
    </div>
  );
}

function Brand() {
  const texts = useTexts();
  return (
    <Link href="/" className="brand">
      <Logo />
      {texts.app}
    </Link>
  );
}

/** A click on the dialog element itself, not its body, is a click on the backdrop. */
function closeOutside(event: PointerEvent<HTMLDialogElement>): void {
  if (event.target === event.currentTarget) event.currentTarget.close();
}
