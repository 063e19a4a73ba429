import { type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { useLeaveGuard } from "../router/index.ts";
import { usePageTexts } from "../texts/index.ts";
import { Button, CopyLine, Dialog, Notice } from "../ui/index.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./shown-once.css";

export interface Secret {
  /** What it is, where there are several. */
  readonly label?: string;
  readonly text: string;
  /** A command that is run as it is; it scrolls instead of breaking. */
  readonly isCommand?: boolean;
}

interface Props {
  readonly title: string;
  readonly hint?: string;
  readonly secrets: readonly Secret[];
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** What the server shows once. Only the button closes it, because nobody can show it again. */
export function ShownOnce({ title, hint, secrets, children, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const [isKept, setKept] = useState(false);
  useLeaveGuard(isKept ? null : texts.leave);
  // At once, because closing may lead to another page, which must not be asked about any more.
  const keep = (close: () => void) => {
    flushSync(() => setKept(true));
    close();
  };
  return (
    <Dialog title={title} locked onClose={onClose}>
      {(close) => (
        <>
          <Notice tone="warn">{hint ?? texts.hint}</Notice>
          {secrets.map(({ label, text, isCommand = false }, at) => (
            <div key={text} className="shown-once">
              {label && <p className="shown-once-label">{label}</p>}
              {/* Focus on copying, not on closing: a second Enter must not lose it. */}
              <CopyLine text={text} wrap={!isCommand} takesFocus={at === 0} />
            </div>
          ))}
          {children}
          <div className="form-actions">
            <Button look="main" onClick={() => keep(close)}>
              {texts.kept}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
