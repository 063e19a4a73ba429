import type { Credential, Outcome, Platform, SendContext, SendError } from "./contract.ts";
import type { CredentialDefinition } from "./definition.ts";

/**
 * Wraps a platform so that its errors can be stored: they contain neither its secrets, which a provider may quote in
 * its answer, nor NUL or lone surrogates, which the database refuses.
 */
export function withoutSecrets(platform: Platform, definition: CredentialDefinition): Platform {
  const { find, refresh, edit, remove, places } = platform;
  const hidden = (error: SendError, credential: Credential) => {
    const secrets = secretsOf(credential, definition);
    return {
      ...error,
      message: kept(error.message, secrets),
      ...(error.raw !== undefined && { raw: masked(error.raw, secrets) }),
    };
  };
  const ended = (outcome: Outcome, { credential }: SendContext): Outcome =>
    outcome.kind === "sent" ? outcome : { ...outcome, error: hidden(outcome.error, credential) };
  return {
    ...platform,
    send: async (compiled, context) => ended(await platform.send(compiled, context), context),
    ...(edit && {
      edit: async (next, posted, context) => ended(await edit(next, posted, context), context),
    }),
    ...(remove && { remove: async (posted, context) => ended(await remove(posted, context), context) }),
    ...(find && {
      async find(compiled, context) {
        const found = await find(compiled, context);
        return found.kind === "unavailable"
          ? { ...found, error: hidden(found.error, context.credential) }
          : found;
      },
    }),
    ...(places && {
      async places(credential, context) {
        const listed = await places(credential, context);
        return listed.kind === "unavailable"
          ? { ...listed, error: hidden(listed.error, credential) }
          : listed;
      },
    }),
    ...(refresh && {
      async refresh(credential, context) {
        const refreshed = await refresh(credential, context);
        return refreshed.kind === "failed"
          ? { ...refreshed, error: hidden(refreshed.error, credential) }
          : refreshed;
      },
    }),
  };
}

type Secrets = readonly { readonly name: string; readonly value: string }[];

/** The longest first: one secret may be the beginning of another. */
function secretsOf(credential: Credential, { fields }: CredentialDefinition): Secrets {
  return Object.entries(credential)
    .filter(([name, value]) => value !== "" && !fields[name]?.open)
    .map(([name, value]) => ({ name, value }))
    .toSorted((one, other) => other.value.length - one.value.length);
}

function masked(value: unknown, secrets: Secrets): unknown {
  if (typeof value === "string") return kept(value, secrets);
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [kept(key, secrets), masked(inner, secrets)]),
  );
}

function kept(text: string, secrets: Secrets): string {
  const clean = text.replaceAll("\0", "").toWellFormed();
  return secrets.reduce((masking, { name, value }) => masking.replaceAll(value, `[${name}]`), clean);
}
