/** The buttons under a message. */
import { ArrowUpRight, Copy, LoaderCircle } from "lucide-react";
import { useState } from "react";
import type { Done, Pressed } from "../api.ts";
import { linkOf } from "../model/at-twins.ts";
import { refusalIn } from "../model/refusal.ts";
import { useSettings } from "../settings.tsx";
import type { ButtonView, ChatView, MessageView } from "../types.ts";
import { useActions } from "../useActions.ts";
import { Anchor, newTab } from "./Anchor.tsx";

export function Keyboard({ message, chat }: { message: MessageView; chat: ChatView }) {
  const { press } = useActions(chat);
  const [pressed, setPressed] = useState<string>();
  const [outcome, setOutcome] = useState<Done<Pressed>>();

  const pressAt = async (row: number, column: number) => {
    setPressed(`${row}:${column}`);
    const done = await press({ message_id: message.id, row, column });
    setPressed(undefined);
    setOutcome(done);
    // Refused outside a secure context; the text below still shows what was to be copied.
    if (done.ok && done.answer.copy !== undefined)
      void navigator.clipboard?.writeText(done.answer.copy).catch(() => {});
  };

  return (
    <div className="keyboard">
      {keyed(message.buttons).map(([row, buttons]) => (
        <div className="keyboard-row" key={row}>
          {keyed(buttons).map(([column, button]) => (
            <KeyboardButton
              key={column}
              button={button}
              waiting={pressed === `${row}:${column}`}
              press={() => pressAt(row, column)}
            />
          ))}
        </div>
      ))}
      {outcome && <Outcome outcome={outcome} />}
    </div>
  );
}

function Outcome({ outcome }: { outcome: Done<Pressed> }) {
  const { texts } = useSettings();
  if (!outcome.ok) {
    return (
      <p className="keyboard-outcome refusal" role="alert">
        {refusalIn(outcome.reason, texts)}
      </p>
    );
  }
  const { open, copy } = outcome.answer;
  if (open === undefined && copy === undefined) return null;
  return (
    <p className="keyboard-outcome" role="status">
      {open !== undefined && (
        <>
          {texts.wouldOpen} <Anchor address={open}>{open}</Anchor>
        </>
      )}
      {copy !== undefined && texts.copiedText(copy)}
    </p>
  );
}

/** A button is identified by its position, which is also what a tap sends. */
function keyed<T>(list: readonly T[]): [number, T][] {
  return [...list.entries()];
}

interface ButtonProps {
  readonly button: ButtonView;
  readonly waiting: boolean;
  readonly press: () => void;
}

function KeyboardButton({ button, waiting, press }: ButtonProps) {
  const href = button.kind === "link" ? linkOf(button.url) : undefined;
  if (href) {
    return (
      <a
        className="key"
        data-style={button.style}
        href={href}
        {...(!href.startsWith("#") && newTab)}
        title={button.url}
      >
        {button.text}
        <ArrowUpRight className="key-corner" size={12} aria-hidden />
      </a>
    );
  }
  return (
    <button type="button" className="key" data-style={button.style} disabled={waiting} onClick={press}>
      {button.text}
      {button.copy !== undefined && !waiting && <Copy className="key-corner" size={12} aria-hidden />}
      {waiting && <LoaderCircle className="key-corner spin" size={12} aria-hidden />}
    </button>
  );
}
