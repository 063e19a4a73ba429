import { type FormEvent, useState } from "react";
import { type Acceptance, type Invitation, Refused, useAcceptInvitation } from "../../api/index.ts";
import { navigate } from "../../router/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, faultOf, Notice, PasswordField, TextField, useOnce, wordsOf } from "../../ui/index.ts";

interface Props {
  readonly link: string;
  readonly invitation: Invitation;
}

/** A new person chooses a name and a password; who is signed in with the login already only accepts. */
export function InvitationForm({ link, invitation }: Props) {
  const texts = useTexts();
  const accept = useAcceptInvitation();
  const [differ, setDiffer] = useState(false);
  const send = useOnce((given: Acceptance) =>
    accept.mutateAsync(given).then(
      ({ signed_in }) => signed_in && navigate("/", { replace: true }),
      () => undefined, // shown from accept.error
    ),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (invitation.known) return send({ invitation: link });
    const form = new FormData(event.currentTarget);
    const password = String(form.get("password"));
    setDiffer(password !== form.get("repeat"));
    if (password === form.get("repeat"))
      send({ invitation: link, name: String(form.get("name")).trim(), password });
  };
  const { workspace, role, login } = invitation;
  if (accept.data && !accept.data.signed_in) {
    return (
      <>
        <Notice tone="good">{texts.invitation.added}</Notice>
        <Button look="main" onClick={() => navigate("/", { replace: true })}>
          {texts.signIn.toConsole}
        </Button>
      </>
    );
  }
  const faults = { name: faultOf(accept.error, "/name"), password: faultOf(accept.error, "/password") };
  return (
    <form className="form" onSubmit={submit}>
      <p>{texts.invitation.to(workspace, nameOf(role, texts.invitation.roles))}</p>
      {accept.isError && !faults.name && !faults.password && (
        <Notice tone="bad">
          {needsSignIn(accept.error) ? texts.invitation.signInFirst(login) : wordsOf(accept.error, texts)}
        </Notice>
      )}
      <TextField label={texts.signIn.login} name="login" autoComplete="username" value={login} readOnly />
      {invitation.known ? (
        <p>{texts.invitation.known}</p>
      ) : (
        <>
          <TextField
            label={texts.invitation.name}
            name="name"
            autoComplete="name"
            maxLength={100}
            pattern=".*\S.*"
            fault={faults.name}
            required
          />
          <PasswordField
            label={texts.account.password}
            hint={texts.account.passwordHint}
            name="password"
            autoComplete="new-password"
            fault={faults.password}
            required
          />
          <PasswordField
            label={texts.account.repeat}
            name="repeat"
            autoComplete="new-password"
            fault={differ ? texts.account.mismatch : undefined}
            onChange={() => setDiffer(false)}
            required
          />
        </>
      )}
      <Button look="main" type="submit" busy={accept.isPending}>
        {texts.invitation.submit}
      </Button>
    </form>
  );
}

/** The session has ended meanwhile, or the login was taken a moment ago. */
function needsSignIn(error: Error): boolean {
  return error instanceof Refused && error.problem.code === "not_signed_in";
}

/** A role that this page does not know yet is shown as it is. */
function nameOf(role: string, names: Readonly<Record<string, string>>): string {
  return names[role] ?? role;
}
