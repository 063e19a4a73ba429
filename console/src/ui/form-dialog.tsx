import { type FormEvent, type ReactNode, useState } from "react";
import { useTexts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";
import { useOnce } from "./use-once.ts";
import { faultOf, wordsOf } from "./words-of.ts";

interface Props<Answer> {
  readonly title: string;
  readonly submit: string;
  readonly act: (form: FormData) => Promise<Answer>;
  /** Called before the dialog closes. */
  readonly onDone?: (answer: Answer) => void;
  readonly onClose: () => void;
  /** The fields. `fault` is what the server said about one, by its JSON pointer. */
  readonly children: (fault: (pointer: string) => string | undefined) => ReactNode;
}

/** A form in a dialog: sends what was filled in, and shows at each field what the server refused. */
export function FormDialog<Answer>({ title, submit, act, onDone, onClose, children }: Props<Answer>) {
  const texts = useTexts();
  const [fault, setFault] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const run = useOnce(async (form: FormData, close: () => void) => {
    setBusy(true);
    setFault(null);
    try {
      const answer = await act(form);
      onDone?.(answer);
      close();
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  });
  const send = (close: () => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    run(new FormData(event.currentTarget), close);
  };
  return (
    <Dialog title={title} onClose={onClose} locked={busy}>
      {(close) => (
        <form className="form" onSubmit={send(close)}>
          {fault && <Notice tone="bad">{wordsOf(fault, texts)}</Notice>}
          {children((pointer) => faultOf(fault, pointer))}
          <div className="form-actions">
            <Button onClick={close}>{texts.common.cancel}</Button>
            <Button look="main" type="submit" busy={busy}>
              {submit}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
