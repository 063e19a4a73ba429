import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTexts } from "../texts/index.ts";
import "./copy.css";

const thanksMs = 2_000;

interface Props {
  readonly text: string;
  /** Long text without spaces breaks into lines; a command scrolls. */
  readonly wrap?: boolean;
  /** Where it appears in place of what had focus. */
  readonly takesFocus?: boolean;
}

/** Text to be taken elsewhere: a command, a token. */
export function CopyLine({ text, wrap = false, takesFocus = false }: Props) {
  const texts = useTexts();
  const code = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), thanksMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    if (await wrote(text)) setCopied(true);
    // Without access to the clipboard the text is at least selected, ready for Ctrl+C.
    else if (code.current) getSelection()?.selectAllChildren(code.current);
  };
  const words = copied ? texts.common.copied : texts.common.copy;
  return (
    <div className={wrap ? "copy-line wrap" : "copy-line"}>
      <code ref={code} tabIndex={wrap ? undefined : 0}>
        {text}
      </code>
      <button ref={button} type="button" aria-label={words} title={words} onClick={copy}>
        {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      </button>
      <span className="unseen" role="status">
        {copied ? texts.common.copied : ""}
      </span>
    </div>
  );
}

/** Pages opened over plain http from another machine have no clipboard at all. */
async function wrote(text: string): Promise<boolean> {
  if (!isSecureContext) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
