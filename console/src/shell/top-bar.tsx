import { LogOut, Menu as MenuIcon, Search } from "lucide-react";
import { type Liveness, type Session, useSignOut, type Workspace } from "../api/index.ts";
import { workspaceId } from "../preferences/index.ts";
import { mayLeave } from "../router/index.ts";
import { useTexts } from "../texts/index.ts";
import { Menu, MenuItem, Notice, useOnce, wordsOf } from "../ui/index.ts";
import { LanguageMenu, ThemeMenu } from "./look-menus.tsx";
import { openPalette } from "./palette.tsx";
import "./top-bar.css";

interface Props {
  readonly session: Session;
  readonly workspace: Workspace | undefined;
  readonly liveness: Liveness;
  readonly onMenu: () => void;
}

export function TopBar({ session, workspace, liveness, onMenu }: Props) {
  const { nav, bar } = useTexts();
  return (
    <header className="top-bar">
      <button
        type="button"
        className="icon-button top-bar-menu"
        aria-label={nav.open}
        title={nav.open}
        aria-haspopup="dialog"
        onClick={onMenu}
      >
        <MenuIcon aria-hidden="true" />
      </button>
      {workspace && <WorkspaceName all={session.workspaces} current={workspace} />}
      {liveness === "lost" && (
        <span className="workspace-status" role="status" title={bar.lostHint}>
          {bar.lost}
        </span>
      )}
      <div className="top-bar-tools">
        <button
          type="button"
          className="icon-button"
          aria-label={nav.search}
          title={`${nav.search} (Ctrl+K)`}
          onClick={openPalette}
        >
          <Search aria-hidden="true" />
        </button>
        <LanguageMenu />
        <ThemeMenu />
        <AccountMenu session={session} />
      </div>
    </header>
  );
}

function WorkspaceName({ all, current }: { all: readonly Workspace[]; current: Workspace }) {
  const { bar } = useTexts();
  const status = Object.entries(bar.workspaceStatus).find(([name]) => name === current.status)?.[1];
  return (
    <div className="workspace">
      {all.length > 1 ? (
        <select
          aria-label={bar.workspace}
          value={current.id}
          onChange={(event) => mayLeave() && workspaceId.set(event.target.value)}
        >
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <span className="workspace-name" title={`${bar.workspace}: ${current.name}`}>
          {current.name}
        </span>
      )}
      {status && <span className="workspace-status">{status}</span>}
    </div>
  );
}

function AccountMenu({ session: { operator } }: { session: Session }) {
  const texts = useTexts();
  const signOut = useSignOut();
  const leave = useOnce(() => signOut.mutateAsync().catch(() => undefined));
  const name = operator.name || operator.login;
  return (
    <>
      <Menu label={texts.bar.account} trigger={<span className="avatar">{[...name][0]?.toUpperCase()}</span>}>
        <div className="menu-head" role="presentation">
          <strong>{name}</strong>
          {name !== operator.login && <p>{operator.login}</p>}
        </div>
        <MenuItem icon={<LogOut aria-hidden="true" />} onChoose={leave}>
          {texts.bar.signOut}
        </MenuItem>
      </Menu>
      {signOut.isError && (
        <div className="top-bar-fault">
          <Notice tone="bad">{wordsOf(signOut.error, texts)}</Notice>
        </div>
      )}
    </>
  );
}
