import { problem } from "../../../http/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import type { HttpClient } from "../../../kernel/outbound/index.ts";
import type { Platforms, Resolved } from "../../../platforms/index.ts";
import type { AdminDeps, CredentialRead, Credentials } from "../../../workspaces/index.ts";

/** Dependencies for requests to a messenger. */
export interface MessengerDeps extends AdminDeps {
  readonly platforms: Platforms;
  readonly credentials: Pick<Credentials, "ofPlatform">;
  /** The HTTP client for providers, not the guarded one for addresses from posts. */
  readonly providers: HttpClient;
}

/** The fields of a channel that identify its chat. */
export interface Wanted {
  readonly platform: string;
  readonly target_id: string;
  readonly auth_ref: string;
}

export interface ChosenChat {
  readonly target_id: string;
  /** The name by which the chat was found. */
  readonly target_name?: string;
  readonly title?: string | undefined;
}

/** Reads the credential with this name. */
export async function credentialOf(
  { sql, credentials }: Pick<MessengerDeps, "sql" | "credentials">,
  workspaceId: string,
  { platform, auth_ref }: Pick<Wanted, "platform" | "auth_ref">,
): Promise<CredentialRead> {
  const [binding] = await sql<{ secret_ref: string }[]>`
    select secret_ref from workspaces.credential_bindings
    where workspace_id = ${workspaceId} and auth_ref = ${auth_ref} and platform = ${platform}`;
  return binding ? credentials.ofPlatform(workspaceId, platform, binding.secret_ref) : { kind: "absent" };
}

/**
 * Returns the chat in the form that is stored. If it is given by name and there is a token, the messenger is asked for its id;
 * if the messenger does not answer, the name is stored and resolved at the first test or send.
 */
export async function chosenChat(
  deps: AdminDeps | MessengerDeps,
  workspaceId: string,
  wanted: Wanted,
): Promise<ChosenChat> {
  const target_id = await targetInForm(deps.sql, wanted);
  const found = await foundChat(deps, workspaceId, { ...wanted, target_id });
  if (found?.kind === "absent")
    throw unusable(`There is no chat ${target_id}: the messenger does not know it.`);
  return found?.kind === "found"
    ? { target_id: found.targetId, target_name: found.name, title: found.title }
    : { target_id };
}

async function foundChat(
  deps: AdminDeps | MessengerDeps,
  workspaceId: string,
  wanted: Wanted,
): Promise<Resolved | undefined> {
  const { platform, target_id: targetId } = wanted;
  if (!("platforms" in deps) || !deps.platforms.has(platform)) return undefined;
  const { resolve } = deps.platforms.platformOf(platform);
  const read = resolve && (await credentialOf(deps, workspaceId, wanted));
  if (!resolve || read?.kind !== "ready") return undefined;
  const channel = { platform, targetId, sendMode: "mixed", settings: {} } as const;
  return resolve({ channel, credential: read.credential, http: deps.providers, clock: deps.clock });
}

async function targetInForm(sql: Sql, { platform, target_id }: Wanted): Promise<string> {
  const [read] = await sql<[{ target: string | null; fault: string | null }]>`
    select * from delivery.read_target(${platform}, ${target_id})`;
  if (read.target === null) throw unusable(read.fault ?? "The target has no form that is known.");
  return read.target;
}

function unusable(detail: string) {
  return problem("unprocessable", { detail, errors: [{ pointer: "/target_id", detail }] });
}

/** Refuses a chat that another channel of the workspace has, and names that channel. */
export async function requireFreeChat(
  tx: Transaction,
  workspaceId: string,
  { platform, target_id, target_name }: ChosenChat & { readonly platform: string },
  butFor: string | null = null,
): Promise<void> {
  const [other] = await tx<{ channel_id: string; title: string | null }[]>`
    select c.channel_id, c.title
    from (
      select delivery.channel_on_chat(${workspaceId}, ${platform}, t.target, ${butFor}::uuid) as channel_id
      from unnest(${[target_id, ...(target_name ? [target_name] : [])]}::text[]) as t (target)
    ) o
    join delivery.channels c on c.workspace_id = ${workspaceId} and c.channel_id = o.channel_id
    limit 1`;
  if (!other) return;
  const detail = `The workspace already has a channel on this chat: ${other.title ?? target_id} (${other.channel_id}). allow_duplicate asks for another one.`;
  throw problem("conflict", { detail, errors: [{ pointer: "/target_id", detail }] });
}
