/** An empty pane with a text that says why. */
import { LoaderCircle, MessagesSquare } from "lucide-react";
import { leaveChat } from "../route.ts";
import { useSettings } from "../settings.tsx";

interface Props {
  readonly title: string;
  readonly hint?: string;
  readonly busy?: boolean;
  /** Shows a link to the list, which is not visible on a phone. */
  readonly back?: boolean;
  readonly retry?: () => void;
  /** Begins a talk that is still empty, as the messenger's own button does. */
  readonly start?: () => void;
}

export function Notice({ title, hint, busy = false, back = false, retry, start }: Props) {
  const { texts } = useSettings();
  return (
    <div className="notice" role="status">
      {busy ? (
        <LoaderCircle className="spin" size={28} aria-hidden />
      ) : (
        <MessagesSquare size={36} strokeWidth={1.5} aria-hidden />
      )}
      <p className="notice-title">{title}</p>
      {hint !== undefined && <p className="notice-hint">{hint}</p>}
      {retry && (
        <button type="button" className="plain-button" onClick={retry}>
          {texts.retry}
        </button>
      )}
      {start && (
        <button type="button" className="plain-button" onClick={start}>
          {texts.start}
        </button>
      )}
      {back && (
        <button type="button" className="plain-button phone-only" onClick={leaveChat}>
          {texts.back}
        </button>
      )}
    </div>
  );
}
