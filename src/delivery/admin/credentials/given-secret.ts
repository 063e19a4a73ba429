import { problem } from "../../../http/index.ts";
import {
  checkCredential,
  credentialText,
  onlyField,
  type PlatformDefinition,
} from "../../../platforms/index.ts";

/** A credential as a caller gives it: the bare token, or the fields by name. */
export interface GivenCredential {
  readonly token?: string | undefined;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the text that is encrypted and stored. Refuses fields that the platform cannot use, one by one. */
export function secretOf({ name, credential }: PlatformDefinition, given: GivenCredential): string {
  const names = Object.keys(credential.fields).join(", ");
  const only = onlyField(credential);
  if ((given.token === undefined) === (given.fields === undefined))
    throw refused([{ pointer: "", detail: `Give one of ${only ? "token and fields" : `fields: ${names}`}` }]);
  if (given.token !== undefined && !only)
    throw refused([{ pointer: "/token", detail: `${name} asks for more than a token: fields ${names}` }]);
  const fields = given.fields ?? { [only ?? ""]: given.token };
  const checked = checkCredential(credential, fields);
  if (checked.ok) return credentialText(credential, checked.credential);
  const place = given.fields ? "/fields" : "";
  throw refused(
    checked.faults.map(({ field, message }) => ({
      pointer: field ? `${place}/${field}` : place,
      detail: field ? `${field} ${message}` : message,
    })),
  );
}

function refused(errors: readonly { pointer: string; detail: string }[]) {
  const detail = errors.map((error) => error.detail).join("; ");
  return problem("invalid_request", { detail: `${detail}.`, errors: [...errors] });
}
