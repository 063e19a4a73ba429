import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import * as z from "zod/mini";
import { type Session, useList, type Workspace } from "../api/index.ts";
import { navigate } from "../router/index.ts";
import { useTexts } from "../texts/index.ts";
import { sectionsFor } from "./sections.ts";
import "./palette.css";

interface Goal {
  readonly path: string;
  readonly title: string;
  readonly group: string;
}

const opened = new EventTarget();

/** Opens the palette from a button. */
export function openPalette(): void {
  opened.dispatchEvent(new Event("open"));
}

/** ⌘K or Ctrl+K: go anywhere by a few letters. */
const channel = z.object({
  channel_id: z.string(),
  title: z.nullable(z.string()),
  target_id: z.string(),
});

/** So many letters are enough to look for channels. */
const enoughLetters = 2;

export function Palette({ session, workspace }: { session: Session; workspace: Workspace | undefined }) {
  const { nav } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);

  useEffect(() => {
    const open = () => {
      setText("");
      setAt(0);
      if (!dialog.current?.open) dialog.current?.showModal();
    };
    const onKey = (event: globalThis.KeyboardEvent) => {
      // By the place of the key, so that it works on a Russian keyboard too.
      if (event.code !== "KeyK" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", onKey);
    opened.addEventListener("open", open);
    return () => {
      window.removeEventListener("keydown", onKey);
      opened.removeEventListener("open", open);
    };
  }, []);

  const wanted = text.trim().toLowerCase();
  const sections: Goal[] = sectionsFor(session)
    .map(({ path, title, group }) => ({ path, title: nav.sections[title], group: nav.groups[group] }))
    .filter(({ title, path }) => `${title} ${path}`.toLowerCase().includes(wanted));
  const looksForChannels = workspace !== undefined && wanted.length >= enoughLetters;
  const channels = useList("/channels", { workspace_id: workspace?.id, text: wanted }, channel, {
    ...{ topic: "channels", limit: 8, enabled: looksForChannels },
  });
  const found = [
    ...sections,
    ...(looksForChannels ? (channels.items ?? []) : []).map(
      ({ channel_id, title, target_id }): Goal => ({
        ...{ path: `/channels/${channel_id}`, title: title || target_id, group: nav.sections.channels },
      }),
    ),
  ];
  const go = (goal: Goal | undefined) => {
    if (!goal) return;
    dialog.current?.close();
    navigate(goal.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") go(found[at]);
    else if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
  };

  return (
    <dialog ref={dialog} className="palette" aria-label={nav.search}>
      <div className="palette-field">
        <Search aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label={nav.search}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[at] && `${listId}-${at}`}
          placeholder={nav.searchHint}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={listId} role="listbox" aria-label={nav.search} className="palette-list">
        {found.map((goal, index) => (
          <div
            key={goal.path}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerMove={() => setAt(index)}
            onClick={() => go(goal)}
            onKeyDown={onKeyDown}
          >
            <span>{goal.title}</span>
            <small>{goal.group}</small>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="palette-nothing">{nav.nothing}</p>}
    </dialog>
  );
}
