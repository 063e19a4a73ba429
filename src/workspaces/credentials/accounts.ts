import type { Clock } from "../../kernel/clock/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import {
  type Credential,
  credentialText,
  faultsInWords,
  type PlatformDefinition,
  readCredential,
  type SendError,
} from "../../platforms/index.ts";
import type { RefreshDeps } from "./credentials.ts";
import { placeOfSecret } from "./secret-place.ts";

export type CredentialRead =
  | { readonly kind: "ready"; readonly credential: Credential }
  /** No secret is stored under this reference. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: SendError };

export interface AccountDeps extends RefreshDeps {
  readonly sql: Sql;
  readonly vault: Vault;
  token(workspaceId: string, secretRef: string): Promise<string | undefined>;
  /** The new secret. */
  keep(workspaceId: string, secretRef: string, token: string): void;
}

/** How long to wait before another refresh if the provider did not answer and the old fields are still valid. */
const askAgainAfterMs = 30_000;

/** Reads the credentials of platforms. Only one process at a time refreshes a credential. */
export function createAccounts(deps: AccountDeps) {
  const underWay = new Map<string, Promise<CredentialRead>>();
  const leftAloneUntil = new Map<string, number>();

  return async (
    workspaceId: string,
    platform: string,
    secretRef: string,
    refused?: Credential,
  ): Promise<CredentialRead> => {
    const text = await deps.token(workspaceId, secretRef);
    if (!text) return { kind: "absent" };
    const definition = deps.platforms.definitionOf(platform);
    const read = readFields(definition, text);
    const isWanted = (credential: Credential) =>
      isDue(definition, credential, deps.clock) || (refused !== undefined && areSame(credential, refused));
    if (read.kind !== "ready" || !isWanted(read.credential)) return read;
    if (!deps.platforms.platformOf(platform).refresh) return read;

    const key = `${workspaceId}/${secretRef}`;
    const isGood = !refused && !hasEnded(definition, read.credential, deps.clock);
    const isLeftAlone = (leftAloneUntil.get(key) ?? 0) > deps.clock.now().getTime();
    // A variable cannot be written, so it is used as long as it is valid.
    if (isGood && (isLeftAlone || !secretRef.startsWith("vault:"))) return read;
    const refreshing =
      underWay.get(key) ??
      refresh(deps, { workspaceId, definition, secretRef, isWanted }).finally(() => underWay.delete(key));
    underWay.set(key, refreshing);
    const refreshed = await refreshing;
    if (refreshed.kind !== "failed" || refreshed.error.category === "PERMANENT" || !isGood) return refreshed;
    leftAloneUntil.set(key, deps.clock.now().getTime() + askAgainAfterMs);
    return read;
  };
}

interface Refreshing {
  readonly workspaceId: string;
  readonly definition: PlatformDefinition;
  readonly secretRef: string;
  /** Whether these fields, as the row has them now, are to be renewed. */
  isWanted(credential: Credential): boolean;
}

/**
 * Under the lock of the secret's row, so that no two processes spend one refresh token: whoever waited reads what the other one
 * stored. The row is written before anybody uses the new fields.
 */
async function refresh(
  deps: AccountDeps,
  { workspaceId, definition, secretRef, isWanted }: Refreshing,
): Promise<CredentialRead> {
  const [, secretId] = /^vault:(.+)$/.exec(secretRef) ?? [];
  if (secretId === undefined) return { kind: "failed", error: keptElsewhere(definition.name) };
  const { sql, vault, platforms, http, clock } = deps;
  const place = placeOfSecret(workspaceId, secretId);
  try {
    return await sql.begin(async (tx): Promise<CredentialRead> => {
      const [row] = await tx<{ ciphertext: string | null }[]>`
        select workspaces.lock_secret(${workspaceId}, ${secretId}) as ciphertext`;
      if (!row?.ciphertext) return { kind: "absent" };
      const text = vault.decrypt(row.ciphertext, place);
      const read = readFields(definition, text);
      if (read.kind !== "ready") return read;
      if (!isWanted(read.credential)) {
        deps.keep(workspaceId, secretRef, text);
        return read;
      }
      const answer = await platforms.platformOf(definition.name).refresh?.(read.credential, { http, clock });
      if (!answer) return read;
      if (answer.kind === "failed") return { kind: "failed", error: refusalOf(answer.error) };
      const stored = credentialText(definition.credential, { ...read.credential, ...answer.credential });
      await tx`
        select workspaces.replace_secret(
          ${workspaceId}, ${secretId}, ${vault.encrypt(stored, place)}, ${clock.now()})`;
      deps.keep(workspaceId, secretRef, stored);
      return readFields(definition, stored);
    });
  } catch (error) {
    const reason = messageOf(error);
    return { kind: "failed", error: notRefreshed(reason) };
  }
}

function readFields({ name, credential }: PlatformDefinition, text: string): CredentialRead {
  const read = readCredential(credential, text);
  return read.ok
    ? { kind: "ready", credential: read.credential }
    : {
        kind: "failed",
        error: {
          category: "PERMANENT",
          scope: "channel",
          code: "missing_credential",
          message: `The ${name} credential cannot be used: ${faultsInWords(read.faults)}. Set it again, then resume the channel.`,
        },
      };
}

function areSame(one: Credential, other: Credential): boolean {
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => one[name] === other[name]);
}

function isDue({ credential }: PlatformDefinition, fields: Credential, clock: Clock): boolean {
  const ends = credential.expiresAt?.(fields)?.getTime();
  return ends !== undefined && ends - (credential.refreshAheadMs ?? 0) <= clock.now().getTime();
}

function hasEnded({ credential }: PlatformDefinition, fields: Credential, clock: Clock): boolean {
  const ends = credential.expiresAt?.(fields)?.getTime();
  return ends !== undefined && ends <= clock.now().getTime();
}

/** A refused refresh token is of no more use than a refused token. */
function refusalOf(error: SendError): SendError {
  if (error.category === "TRANSIENT") return error;
  const message = `The account has to be connected again, its credential could not be refreshed: ${error.message}`;
  return { ...error, scope: "channel", code: "unauthorized", message };
}

const notRefreshed = (reason: string): SendError => ({
  category: "TRANSIENT",
  scope: "delivery",
  code: "preparation_failed",
  message: `The credential could not be refreshed: ${reason}`,
});

const keptElsewhere = (platform: string): SendError => ({
  category: "PERMANENT",
  scope: "channel",
  code: "unauthorized",
  message: `The ${platform} credential has expired and is kept in a variable, where it cannot be renewed: store it with \`molva credential set\`.`,
});
