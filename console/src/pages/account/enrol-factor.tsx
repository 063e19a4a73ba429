import { type FormEvent, useEffect, useRef } from "react";
import { useBeginFactor, useConfirmFactor } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import {
  Button,
  CopyLine,
  faultOf,
  Notice,
  PasswordField,
  TextField,
  useOnce,
  wordsOf,
} from "../../ui/index.ts";

interface Props {
  readonly hasPassword: boolean;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Asks for the password, shows the QR code, takes the first code. */
export function EnrolFactor({ hasPassword, onCodes, onCancel }: Props) {
  const texts = useTexts();
  const words = texts.secondFactor;
  const begin = useBeginFactor();
  const confirm = useConfirmFactor();
  const start = useOnce((password: string | undefined) =>
    begin.mutateAsync(password === undefined ? {} : { password }).catch(() => undefined),
  );
  const finish = useOnce((code: string) =>
    confirm.mutateAsync(code).then(
      ({ recovery_codes }) => onCodes(recovery_codes),
      () => undefined,
    ),
  );
  const begun = useRef(false);
  useEffect(() => {
    // Who has no password is asked for none.
    if (hasPassword || begun.current) return;
    begun.current = true;
    start(undefined);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (begin.data) finish(String(form.get("code")).trim());
    else start(String(form.get("password")));
  };
  const error = begin.data ? confirm.error : begin.error;
  const fault = faultOf(error, begin.data ? "/code" : "/password");
  return (
    <form className="form factor-form" onSubmit={submit}>
      {error && !fault && <Notice tone="bad">{wordsOf(error, texts)}</Notice>}
      {begin.data ? (
        <>
          <p>{words.scan}</p>
          <img
            className="factor-qr"
            alt={words.qr}
            src={`data:image/svg+xml,${encodeURIComponent(begin.data.qr)}`}
          />
          <p className="account-hint">{words.manual}</p>
          <CopyLine text={begin.data.secret} wrap />
          <TextField
            label={words.code}
            hint={words.codeHint}
            fault={fault}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            required
          />
        </>
      ) : (
        hasPassword && (
          <PasswordField
            label={words.password}
            fault={fault}
            name="password"
            autoComplete="current-password"
            required
          />
        )
      )}
      <div className="factor-actions">
        <Button look="main" type="submit" busy={begin.isPending || confirm.isPending}>
          {begin.data ? words.confirm : words.begin}
        </Button>
        <Button onClick={onCancel}>{texts.common.cancel}</Button>
      </div>
    </form>
  );
}
