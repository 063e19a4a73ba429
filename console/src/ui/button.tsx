import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from "react";
import "./button.css";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "main" | "plain" | "quiet" | "danger";
  readonly icon?: ReactNode;
  /** Work is in progress: the button keeps its size and focus and ignores clicks. */
  readonly busy?: boolean;
}

export function Button({ look = "plain", icon, busy = false, onClick, children, ...rest }: Props) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click is never intended, and may hit a button that has just appeared.
    if (busy || event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button type="button" {...rest} className={`button ${look}`} aria-disabled={busy} onClick={press}>
      {busy ? <span className="spinner" aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}
