import { type Session, useCreateToken } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, CopyLine, Dialog, Notice } from "../../ui/index.ts";
import { TokenForm } from "./token-form.tsx";

/** Asks what the token may do, then shows it: once, because only its hash is kept. */
export function CreateToken({ session, onClose }: { session: Session; onClose: () => void }) {
  const { tokens: texts } = useTexts();
  const create = useCreateToken();
  const created = create.data;
  return (
    <Dialog
      title={created ? texts.readyTitle : texts.create}
      locked={create.isPending || created !== undefined}
      onClose={onClose}
    >
      {(close) =>
        created ? (
          <CreatedToken token={created.token} onDone={close} />
        ) : (
          <TokenForm session={session} create={create} onCancel={close} />
        )
      }
    </Dialog>
  );
}

function CreatedToken({ token, onDone }: { token: string; onDone: () => void }) {
  const { tokens: texts } = useTexts();
  return (
    <>
      <Notice tone="warn">{texts.readyHint}</Notice>
      {/* Focus on copying, not on closing: a second Enter must not lose the token. */}
      <CopyLine text={token} wrap takesFocus />
      <div className="form-actions">
        <Button look="main" onClick={onDone}>
          {texts.done}
        </Button>
      </div>
    </>
  );
}
