import { type ReactNode, useEffect, useId, useRef } from "react";
import "./dialog.css";

interface Props {
  readonly title: string;
  /** Called when the dialog has closed; the owner then stops rendering it. */
  readonly onClose: () => void;
  /** Escape does nothing, because something would be lost. */
  readonly locked?: boolean;
  /** `close` closes as Escape would, so that focus returns to where it came from. */
  readonly children: (close: () => void) => ReactNode;
}

/** A modal dialog. It opens when it is rendered; the browser keeps focus inside. */
export function Dialog({ title, onClose, locked = false, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (!ref.current?.open) ref.current?.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => locked && event.preventDefault()}
      // A second Escape in a row closes a dialog without asking, unless the key itself is held back.
      onKeyDown={(event) => locked && event.key === "Escape" && event.preventDefault()}
    >
      <h2 id={titleId}>{title}</h2>
      {children(() => ref.current?.close())}
    </dialog>
  );
}
