import { connect as connectChannel, disconnect, type MessengerDeps } from "../../delivery/index.ts";
import type { Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type By,
  bindCredential,
  type CredentialKey,
  credentialRef,
  deleteCredential,
  inOneChange,
} from "../../workspaces/index.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { afterSteps, type BeforeDelete, type DeleteDeps } from "../projects/delete.ts";
import { readProject } from "../projects/projects.ts";
import type { PlatformType } from "../settings/shape.ts";
import { readConnection } from "./connections.ts";
import type { NewSeoConnection, SeoConnection } from "./shape.ts";
import { siteMetadata } from "./site-metadata.ts";
import { type Tried, tryAccount } from "./try-account.ts";
import { elsewhereWords, takenWords, tooManyWords } from "./words.ts";

export interface ConnectDeps extends MessengerDeps {
  readonly vault: Vault;
  /** What is begun once a connection works; it never throws. */
  readonly afterConnect?: (whose: Whose, connection: SeoConnection) => Promise<void>;
}

/** The name under which the delivery engine knows this product. */
export const product = "seo";

export const ownerOf = ({ userId }: Whose) => ({ product, user: String(userId) });
const operator: By = { operator: product };

/** Connects a project to a platform after the platform has let the account in; what is connected already is renewed. */
export async function connectPlatform(
  deps: ConnectDeps,
  whose: Whose,
  projectId: number,
  { platform_type, fields, target, metadata = {}, shared = false }: NewSeoConnection,
  by: By = operator,
): Promise<SeoConnection> {
  await readProject(deps.sql, whose, projectId);
  if (platform_type === "wordpress") requireKnown(metadata);
  const tried = await tryAccount(deps, platform_type, { fields, target });
  const place = { projectId, platform: platform_type, target: tried.target };
  const { id, isNew } = await inOneChange(deps.sql, async (tx) => {
    await requireFreePlace(tx, whose, place, shared);
    const kept = await keepRow(tx, deps, whose, place, {
      ...metadata,
      ...(tried.title && { title: tried.title }),
    });
    await bindCredential(
      tx,
      deps,
      whose.workspaceId,
      credentialOf(kept.id, platform_type),
      { token: tried.secret },
      by,
    );
    return kept;
  });
  const connection = await joined(deps, whose, { id, platform: platform_type, isNew }, tried);
  await deps.afterConnect?.(whose, connection);
  return connection;
}

/** Unknown fields are refused, so that nobody believes they do something. */
function requireKnown(metadata: Readonly<Record<string, unknown>>): void {
  const [issue] = siteMetadata.safeParse(metadata).error?.issues ?? [];
  if (!issue) return;
  const place = ["metadata", ...issue.path].join(".");
  throw new SeoProblem(
    "value_refused",
    {
      ru: `Настройка ${place} не подходит: ${issue.message}`,
      en: `${place} cannot be used: ${issue.message}`,
    },
    { pointers: [`/${["metadata", ...issue.path].join("/")}`] },
  );
}

/** Gives a connection another account, and takes it up again if it had failed or was disconnected. */
export async function reconnectPlatform(
  deps: ConnectDeps,
  whose: Whose,
  connectionId: number,
  fields: Readonly<Record<string, string>>,
  by: By = operator,
): Promise<SeoConnection> {
  const { platform_type: platform, identifier } = await readConnection(deps.sql, whose, connectionId);
  const tried = await tryAccount(deps, platform, { fields, target: identifier });
  const key = credentialOf(connectionId, platform);
  await inOneChange(deps.sql, (tx) =>
    bindCredential(tx, deps, whose.workspaceId, key, { token: tried.secret }, by),
  );
  return joined(deps, whose, { id: connectionId, platform, isNew: false }, tried);
}

/** Removes a connection with its credential and its schedules; what was published stays. */
export async function removeConnection(
  deps: DeleteDeps,
  whose: Whose,
  connectionId: number,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<void> {
  const { project_id: projectId } = await readConnection(deps.sql, whose, connectionId);
  if (dryRun) return;
  await afterSteps(deps, { whose, projectId, connectionId }, async (runSteps) => {
    await runSteps();
    await deps.sql`
      delete from seo.platform_connections where workspace_id = ${whose.workspaceId} and id = ${connectionId}`;
  });
}

/** Channels and credentials of what is deleted go first, because rows that are deleted by a cascade take nothing with them. */
export function disconnectChannels(deps: Pick<MessengerDeps, "sql" | "clock">): BeforeDelete {
  return {
    name: "disconnect channels",
    async run({ whose, projectId, categoryId, connectionId = null }) {
      if (categoryId !== undefined) return;
      const rows = await deps.sql<{ id: number; platform: PlatformType }[]>`
        select c.id, c.platform_type as platform
        from seo.platform_connections c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
        where c.workspace_id = ${whose.workspaceId} and p.user_id = ${whose.userId} and c.project_id = ${projectId}
          and c.id = coalesce(${connectionId}, c.id)
        order by c.id`;
      for (const { id, platform } of rows) await disconnected(deps, whose, id, platform);
    },
  };
}

/** One name per connection: nothing else uses its credential. */
export function credentialOf(connectionId: number, platform: PlatformType): CredentialKey {
  return { platform, auth_ref: `seo-${connectionId}` };
}

interface Place {
  readonly projectId: number;
  readonly platform: PlatformType;
  readonly target: string;
}

/** Locks the place, so that two people who connect it at the same moment are judged one after the other. */
async function requireFreePlace(
  tx: Transaction,
  { workspaceId, userId }: Whose,
  { projectId, platform, target }: Place,
  shared: boolean,
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(
    ${JSON.stringify(["seo.platform_connections", workspaceId, platform, target])}, 0))`;
  const others = await tx<{ user_id: number; project: string }[]>`
    select p.user_id, p.name as project
    from seo.platform_connections c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.workspace_id = ${workspaceId} and c.platform_type = ${platform} and c.identifier = ${target}
      and c.project_id <> ${projectId}
    order by c.id`;
  if (platform === "telegram" && others.some(({ user_id }) => user_id !== userId))
    throw new SeoProblem("place_taken", takenWords);
  const own = others.find(({ user_id }) => user_id === userId);
  if (own && !shared) throw new SeoProblem("connected_elsewhere", elsewhereWords(platform, own.project));
}

async function keepRow(
  tx: Transaction,
  { clock }: ConnectDeps,
  { workspaceId }: Whose,
  { projectId, platform, target }: Place,
  metadata: Readonly<Record<string, unknown>>,
): Promise<{ id: number; isNew: boolean }> {
  const [known] = await tx<{ id: number }[]>`
    select id from seo.platform_connections
    where workspace_id = ${workspaceId} and project_id = ${projectId} and platform_type = ${platform} and identifier = ${target}`;
  if (known) return { id: known.id, isNew: false };
  const [made] = await tx<[{ id: number }]>`
    with next as (select nextval(pg_get_serial_sequence('seo.platform_connections', 'id'))::int as id)
    insert into seo.platform_connections (workspace_id, id, project_id, platform_type, credentials, metadata, identifier, created_at)
    select ${workspaceId}, n.id, ${projectId}, ${platform}, 'seo-' || n.id, ${JSON.stringify(metadata)}::text::jsonb, ${target},
      ${clock.now()}
    from next n
    returning id`;
  return { id: made.id, isNew: true };
}

/** Makes or renews the channel. If that fails, a new connection leaves nothing behind; if we die here, it is `disconnected`. */
async function joined(
  deps: ConnectDeps,
  whose: Whose,
  { id, platform, isNew }: { id: number; platform: PlatformType; isNew: boolean },
  { target, title }: Tried,
): Promise<SeoConnection> {
  const { workspaceId } = whose;
  const { auth_ref } = credentialOf(id, platform);
  try {
    const answer = await connectChannel(deps, workspaceId, {
      ...{ owner: ownerOf(whose), key: String(id), platform, target_id: target, auth_ref },
      ...(title !== undefined && { title }),
    });
    if (answer.outcome === "too_many") throw tooMany(answer.waitUntil, deps.clock.now());
    if (answer.outcome === "taken") throw new SeoProblem("place_taken", takenWords);
    await deps.sql`
      update seo.platform_connections set channel_id = ${answer.channel.channel_id}, status = 'active'
      where workspace_id = ${workspaceId} and id = ${id}`;
  } catch (error) {
    if (isNew) {
      await disconnected(deps, whose, id, platform);
      await deps.sql`delete from seo.platform_connections where workspace_id = ${workspaceId} and id = ${id}`;
    }
    throw error;
  }
  return readConnection(deps.sql, whose, id);
}

function tooMany(waitUntil: Date, now: Date): SeoProblem {
  const seconds = Math.max(1, Math.ceil((waitUntil.getTime() - now.getTime()) / 1_000));
  const headers = { "retry-after": String(seconds) };
  return new SeoProblem("too_many_connections", tooManyWords(Math.ceil(seconds / 60)), { headers });
}

/** The channel is looked up by its key: a connection that was interrupted has one that its row does not know. */
async function disconnected(
  deps: Pick<MessengerDeps, "sql" | "clock">,
  whose: Whose,
  connectionId: number,
  platform: PlatformType,
): Promise<void> {
  const { workspaceId } = whose;
  const channelId = await channelOf(deps.sql, whose, connectionId);
  if (channelId) await disconnect(deps, workspaceId, ownerOf(whose), channelId);
  const key = credentialOf(connectionId, platform);
  if (await credentialRef(deps.sql, workspaceId, key))
    await deleteCredential(deps, workspaceId, key, operator);
}

async function channelOf(sql: Sql, whose: Whose, connectionId: number): Promise<string | undefined> {
  const { product: name, user } = ownerOf(whose);
  const [channel] = await sql<{ channel_id: string }[]>`
    select channel_id from delivery.channels
    where workspace_id = ${whose.workspaceId} and addressed_only and owner_product = ${name} and owner_user = ${user}
      and connection_key = ${String(connectionId)}`;
  return channel?.channel_id;
}
