import { z } from "zod";
import type { Credential } from "./contract.ts";
import type { CredentialDefinition } from "./definition.ts";

/** What is wrong with one field, or with the whole credential if `field` is absent. */
export interface CredentialFault {
  readonly field?: string;
  readonly message: string;
}

export type CredentialChecked =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly faults: readonly CredentialFault[] };

const texts = z.record(z.string(), z.string());

/** Checks the fields that a person typed, one by one. */
export function checkCredential(
  { fields }: CredentialDefinition,
  given: Readonly<Record<string, unknown>>,
): CredentialChecked {
  const faults: CredentialFault[] = Object.keys(given)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((field) => ({ field, message: `is not known; there are ${Object.keys(fields).join(", ")}` }));
  const credential: Record<string, string> = {};
  for (const [field, { schema, optional }] of Object.entries(fields)) {
    const value = given[field];
    if (value === undefined || value === null || value === "") {
      if (!optional) faults.push({ field, message: "is missing" });
      continue;
    }
    const read = schema.safeParse(value);
    if (read.success) credential[field] = read.data;
    else faults.push({ field, message: read.error.issues[0]?.message ?? "is wrong" });
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, credential };
}

/** The only field, for platforms whose credential is a bare text. */
export function onlyField({ fields }: CredentialDefinition): string | undefined {
  const [field, ...more] = Object.keys(fields);
  return more.length === 0 ? field : undefined;
}

/** The credential as one secret: the bare text of a single field, or JSON of all of them. */
export function credentialText(definition: CredentialDefinition, credential: Credential): string {
  const field = onlyField(definition);
  return (field && credential[field]) ?? JSON.stringify(credential);
}

export function readCredential(definition: CredentialDefinition, text: string): CredentialChecked {
  const field = onlyField(definition);
  // A single field is taken as it was stored or set in the environment: the provider judges it.
  if (field) return { ok: true, credential: { [field]: text } };
  const given = texts.safeParse(parsed(text)).data;
  if (given) return checkCredential(definition, given);
  const message = `must be JSON with the fields ${Object.keys(definition.fields).join(", ")}, each a text`;
  return { ok: false, faults: [{ message }] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All errors as one sentence, which repeats no value. */
export function faultsInWords(faults: readonly CredentialFault[]): string {
  return faults.map(({ field, message }) => (field ? `${field} ${message}` : message)).join("; ");
}
