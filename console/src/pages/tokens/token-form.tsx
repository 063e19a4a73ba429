import { type FormEvent, useState } from "react";
import { type NewToken, type Scope, type Session, scopes, type useCreateToken } from "../../api/index.ts";
import { NetworksField } from "../../secrets/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, faultOf, listIn, Notice, SelectField, TextField, useOnce, wordsOf } from "../../ui/index.ts";

/** Zero days is without end, which only administrators of the installation may choose. */
const expiries = [
  { days: 30, name: "d30" },
  { days: 90, name: "d90" },
  { days: 365, name: "d365" },
  { days: 0, name: "never" },
] as const;

interface Props {
  readonly session: Session;
  readonly create: ReturnType<typeof useCreateToken>;
  readonly onCancel: () => void;
}

export function TokenForm({ session, create, onCancel }: Props) {
  const texts = useTexts();
  const [chosen, setChosen] = useState<readonly Scope[]>(["read"]);
  const [scopesMissing, setScopesMissing] = useState(false);
  const send = useOnce((token: NewToken) => create.mutateAsync(token).catch(() => undefined));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setScopesMissing(chosen.length === 0);
    if (chosen.length === 0) return;
    const form = new FormData(event.currentTarget);
    const days = Number(form.get("expiry"));
    const workspace = form.get("workspace");
    send({
      name: String(form.get("name")).trim(),
      scopes: chosen,
      ...(days > 0 ? { expires_in_days: days } : { expires_at: null }),
      networks: listIn(form, "networks"),
      ...(typeof workspace === "string" && workspace !== "" && { workspace_id: workspace }),
    });
  };
  const toggle = (scope: Scope) => {
    setScopesMissing(false);
    setChosen(scopes.filter((each) => chosen.includes(each) !== (each === scope)));
  };
  const administered = session.workspaces.filter((workspace) => workspace.scopes.includes("admin"));
  const offered = ({ days }: (typeof expiries)[number]) => days > 0 || session.operator.administrator;
  const scopesFault = scopesMissing ? texts.tokens.scopesMissing : faultOf(create.error, "/scopes");
  return (
    <form className="form" onSubmit={submit}>
      {create.isError && <Notice tone="bad">{wordsOf(create.error, texts)}</Notice>}
      <TextField
        label={texts.tokens.name}
        hint={texts.tokens.nameHint}
        fault={faultOf(create.error, "/name")}
        name="name"
        maxLength={100}
        pattern=".*\S.*"
        required
        autoFocus
        autoComplete="off"
      />
      <fieldset className="scope-choices">
        <legend>{texts.tokens.scopes}</legend>
        {scopes
          .filter((scope) => session.scopes.includes(scope))
          .map((scope) => (
            <label key={scope} className="scope-choice">
              <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
              <span>{texts.tokens.scope[scope].name}</span>
              <small>{texts.tokens.scope[scope].hint}</small>
            </label>
          ))}
        {scopesFault && (
          <p className="field-fault" role="alert">
            {scopesFault}
          </p>
        )}
      </fieldset>
      {(administered.length > 1 || !session.operator.administrator) && (
        <SelectField
          label={texts.tokens.workspace}
          name="workspace"
          fault={faultOf(create.error, "/workspace_id")}
        >
          {session.operator.administrator && <option value="">{texts.tokens.everyWorkspace}</option>}
          {administered.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label={texts.tokens.expiry}
        name="expiry"
        defaultValue={90}
        fault={faultOf(create.error, "/expires_at") ?? faultOf(create.error, "/expires_in_days")}
      >
        {expiries.filter(offered).map(({ days, name }) => (
          <option key={name} value={days}>
            {texts.tokens.expiries[name]}
          </option>
        ))}
      </SelectField>
      <NetworksField fault={(pointer) => faultOf(create.error, pointer)} />
      <div className="form-actions">
        <Button onClick={onCancel}>{texts.common.cancel}</Button>
        <Button look="main" type="submit" busy={create.isPending}>
          {texts.tokens.submit}
        </Button>
      </div>
    </form>
  );
}
