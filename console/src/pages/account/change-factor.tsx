import type { FormEvent } from "react";
import { type Proof, useRemoveFactor, useRenewRecoveryCodes } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, faultOf, Notice, PasswordField, TextField, useOnce, wordsOf } from "../../ui/index.ts";

interface Props {
  readonly change: "renew" | "remove";
  readonly hasPassword: boolean;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onEnd: () => void;
}

/** New recovery codes, or no second factor any more: both need the password and a code. */
export function ChangeFactor({ change, hasPassword, onCodes, onEnd }: Props) {
  const texts = useTexts();
  const words = texts.secondFactor;
  const renew = useRenewRecoveryCodes();
  const remove = useRemoveFactor();
  const { error, isPending } = change === "renew" ? renew : remove;
  const send = useOnce((proof: Proof) =>
    change === "renew"
      ? renew.mutateAsync(proof).then(
          ({ recovery_codes }) => onCodes(recovery_codes),
          () => undefined,
        )
      : remove.mutateAsync(proof).then(onEnd, () => undefined),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = hasPassword ? { password: String(form.get("password")) } : {};
    send({ ...password, ...proofIn(String(form.get("code"))) });
  };
  const faults = { password: faultOf(error, "/password"), code: faultOf(error, "/code") };
  return (
    <form className="form factor-form" onSubmit={submit}>
      <p className="account-hint">{words.removeHint}</p>
      {error && !faults.password && !faults.code && <Notice tone="bad">{wordsOf(error, texts)}</Notice>}
      {hasPassword && (
        <PasswordField
          label={words.password}
          fault={faults.password}
          name="password"
          autoComplete="current-password"
          required
        />
      )}
      <TextField
        label={words.codeOrRecovery}
        fault={faults.code}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <div className="factor-actions">
        <Button look={change === "remove" ? "danger" : "main"} type="submit" busy={isPending}>
          {change === "remove" ? words.remove : words.newCodes}
        </Button>
        <Button onClick={onEnd}>{texts.common.cancel}</Button>
      </div>
    </form>
  );
}

/** Six digits are of the app; recovery codes are longer. */
function proofIn(typed: string): { code: string } | { recovery_code: string } {
  const plain = typed.trim();
  return /^\d{3} ?\d{3}$/.test(plain) ? { code: plain } : { recovery_code: plain };
}
