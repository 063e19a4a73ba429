import { X } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { useTexts } from "../texts/index.ts";
import "./toasts.css";

interface Toast {
  readonly id: number;
  readonly words: string;
  /** Takes the change back. */
  readonly undo?: (() => void) | undefined;
}

const shownMs = 8_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says at the foot of the page that something was done, with a way to take it back where there is one. */
export function toast(words: string, undo?: () => void): void {
  lastId += 1;
  change([...toasts.slice(-2), { id: lastId, words, undo }]);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((each) => (
        <OneToast key={each.id} toast={each} />
      ))}
    </div>
  );
}

function OneToast({ toast: { id, words, undo } }: { toast: Toast }) {
  const { common } = useTexts();
  const leave = () => change(toasts.filter((each) => each.id !== id));
  useEffect(() => {
    const timer = setTimeout(() => change(toasts.filter((each) => each.id !== id)), shownMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className="toast">
      <span>{words}</span>
      {undo && (
        <button
          type="button"
          className="toast-undo"
          onClick={() => {
            leave();
            undo();
          }}
        >
          {common.undo}
        </button>
      )}
      <button type="button" className="toast-close" aria-label={common.close} onClick={leave}>
        <X aria-hidden="true" />
      </button>
    </div>
  );
}
