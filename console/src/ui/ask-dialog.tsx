import { type FormEvent, type ReactNode, useState } from "react";
import { useTexts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Notice } from "./notice.tsx";
import { useOnce } from "./use-once.ts";
import { faultOf, wordsOf } from "./words-of.ts";

interface Props {
  readonly title: string;
  /** What it does, and what cannot be undone. */
  readonly children?: ReactNode;
  readonly submit: string;
  readonly look?: "main" | "danger";
  /** Asks for a reason, which the audit keeps. */
  readonly asksReason?: boolean;
  /** The person types this name before something is deleted. */
  readonly typeToConfirm?: string;
  /** False while there is nothing to do, as after a rehearsal that found nothing. */
  readonly mayAct?: boolean;
  readonly act: (reason: string) => Promise<unknown>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks before something happens, does it, and says why if it did not. */
export function AskDialog(props: Props) {
  const {
    title,
    children,
    submit,
    look = "main",
    asksReason = false,
    typeToConfirm,
    mayAct = true,
    act,
    onDone,
  } = props;
  const texts = useTexts();
  const [fault, setFault] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState("");
  const run = useOnce(async (reason: string, close: () => void) => {
    setBusy(true);
    setFault(null);
    try {
      await act(reason);
      close();
      onDone?.();
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  });
  const send = (close: () => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    run(String(new FormData(event.currentTarget).get("reason") ?? "").trim(), close);
  };
  const isHeldBack = !mayAct || (typeToConfirm !== undefined && typed.trim() !== typeToConfirm);
  return (
    <Dialog title={title} onClose={props.onClose} locked={busy}>
      {(close) => (
        <form className="form" onSubmit={send(close)}>
          {children && <div className="ask-words">{children}</div>}
          {fault && <Notice tone="bad">{wordsOf(fault, texts)}</Notice>}
          {asksReason && (
            <TextField
              label={texts.common.reason}
              hint={texts.common.reasonHint}
              fault={faultOf(fault, "/reason")}
              name="reason"
              minLength={3}
              maxLength={500}
              required
              autoFocus
              autoComplete="off"
            />
          )}
          {typeToConfirm !== undefined && (
            <TextField
              label={texts.common.typeToConfirm(typeToConfirm)}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
            />
          )}
          <div className="form-actions">
            <Button onClick={close}>{texts.common.cancel}</Button>
            <Button look={look} type="submit" busy={busy} disabled={isHeldBack}>
              {submit}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
