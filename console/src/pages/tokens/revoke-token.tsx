import { Refused, type Token, useRevokeToken } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Dialog, Notice, useOnce, wordsOf } from "../../ui/index.ts";

interface Props {
  readonly token: Token;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

export function RevokeToken({ token, onRevoked, onClose }: Props) {
  const texts = useTexts();
  const revoke = useRevokeToken();
  const send = useOnce(async (close: () => void) => {
    const gone = await revoke.mutateAsync(token.id).then(() => true, isGone);
    if (!gone) return; // shown from revoke.error
    close();
    onRevoked();
  });
  return (
    <Dialog title={texts.tokens.revokeTitle(token.name)} onClose={onClose} locked={revoke.isPending}>
      {(close) => (
        <>
          <p>{texts.tokens.revokeHint}</p>
          {revoke.isError && <Notice tone="bad">{wordsOf(revoke.error, texts)}</Notice>}
          <div className="form-actions">
            <Button autoFocus onClick={close}>
              {texts.common.cancel}
            </Button>
            <Button look="danger" busy={revoke.isPending} onClick={() => send(close)}>
              {texts.tokens.revoke}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** Somebody else revoked it first: the goal is reached. */
function isGone(error: unknown): boolean {
  return error instanceof Refused && error.status === 404;
}
