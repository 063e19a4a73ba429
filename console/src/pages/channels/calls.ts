/** What the pages of channels ask of the server. */
import { useQuery } from "@tanstack/react-query";
import { ask, Refused, tell, useThing, withQuery } from "../../api/index.ts";
import {
  type Channel,
  type ChannelTest,
  channel,
  channelPage,
  channelTest,
  consentLink,
  credentialPage,
  operationReport,
  places,
  templatePage,
} from "./shapes.ts";

/** A change to one channel also changes what waits, and the figures of the overview. */
export const channelTopics = ["channels", "deliveries", "overview", "credentials"] as const;

export const nameOf = ({
  title,
  target_name,
  target_id,
}: Pick<Channel, "title" | "target_name" | "target_id">) => title ?? target_name ?? target_id;

export type Deed = "pause" | "resume" | "disable";

export interface Order {
  readonly deed: Deed;
  readonly seconds?: number;
  readonly reason: string;
}

const within = (workspaceId: string, path: string, query: Record<string, string | boolean> = {}) =>
  withQuery(path, { workspace_id: workspaceId, ...query });

const segment = encodeURIComponent;

export function operate(workspaceId: string, channelId: string, order: Order, dryRun = false) {
  const { deed, seconds, reason } = order;
  const body = {
    ...(deed === "pause" && { seconds }),
    ...(reason !== "" && { reason }),
    dry_run: dryRun,
  };
  return ask(within(workspaceId, `/channels/${channelId}/${deed}`), operationReport, {
    method: "POST",
    body,
  });
}

export function testChannel(workspaceId: string, channelId: string): Promise<ChannelTest> {
  return ask(within(workspaceId, `/channels/${channelId}/test`), channelTest, { method: "POST" });
}

export function createChannel(
  workspaceId: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Channel> {
  return ask(within(workspaceId, "/channels"), channel, { method: "POST", body });
}

export function changeChannel(
  workspaceId: string,
  channelId: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Channel> {
  return ask(within(workspaceId, `/channels/${channelId}`), channel, { method: "PATCH", body });
}

export function deleteChannel(workspaceId: string, channelId: string, reason: string, force = false) {
  return tell(within(workspaceId, `/channels/${channelId}`, { reason, ...(force && { force }) }), {
    method: "DELETE",
  });
}

export function rotateChannel(
  workspaceId: string,
  channelId: string,
  body: { auth_ref: string; rate_group?: string; wait_seconds?: number; reason: string },
) {
  return ask(within(workspaceId, `/channels/${channelId}/rotate`), operationReport, { method: "POST", body });
}

export interface CredentialKey {
  readonly platform: string;
  readonly auth_ref: string;
}

const credentialPath = ({ platform, auth_ref }: CredentialKey) =>
  `/credentials/${segment(platform)}/${segment(auth_ref)}`;

export function storeCredential(
  workspaceId: string,
  key: CredentialKey,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  return tell(within(workspaceId, credentialPath(key)), { method: "PUT", body: { fields } });
}

export function forgetCredential(workspaceId: string, key: CredentialKey, reason: string): Promise<void> {
  return tell(within(workspaceId, credentialPath(key), { reason }), { method: "DELETE" });
}

export function connectLink(workspaceId: string, { platform, auth_ref }: CredentialKey) {
  return ask(within(workspaceId, `/credentials/${segment(platform)}/connect`), consentLink, {
    method: "POST",
    body: { auth_ref },
  });
}

/** Every channel that posts are routed to; connections of products' users belong to those products. */
export function allChannels(workspaceId: string, filter: Readonly<Record<string, string>> = {}) {
  return askEach(within(workspaceId, "/channels", { addressed: false, ...filter }), channelPage);
}

export function useAllChannels(workspaceId: string) {
  return useQuery({
    queryKey: ["channels", workspaceId, "all"],
    queryFn: () => allChannels(workspaceId),
    staleTime: 30_000,
  });
}

/** Only administrators may list credentials; others choose among those that channels use already. */
export function useCredentials(workspaceId: string, enabled: boolean, everyMs?: number) {
  return useQuery({
    queryKey: ["credentials", workspaceId],
    queryFn: () => askEach(within(workspaceId, "/credentials"), credentialPage),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}

export function usePlaces(workspaceId: string, key: CredentialKey, enabled: boolean) {
  return useThing(`${credentialPath(key)}/places`, { workspace_id: workspaceId }, places, {
    topic: "credentials",
    enabled,
  });
}

export function useTemplates(workspaceId: string) {
  return useQuery({
    queryKey: ["templates", workspaceId, "names"],
    queryFn: () => askEach(within(workspaceId, "/templates"), templatePage),
  });
}

/** The whole of a list whose path has a query already. */
async function askEach<T>(
  path: string,
  shape: Parameters<typeof ask<{ items: T[]; next: string | null }>>[1],
): Promise<T[]> {
  const items: T[] = [];
  let after = "";
  for (;;) {
    const page = await ask(`${path}&limit=200${after}`, shape);
    items.push(...page.items);
    if (page.next === null) return items;
    after = `&after=${segment(page.next)}`;
  }
}

/** What the server said about a field or anything inside it, by the JSON pointer of the field. */
export function faultUnder(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof Refused)) return undefined;
  return error.problem.errors?.find(
    (each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`),
  )?.detail;
}

/** Whether the server named a field at all; otherwise the whole answer is shown above the form. */
export function namesField(error: Error | null): boolean {
  return error instanceof Refused && (error.problem.errors ?? []).some(({ pointer }) => pointer !== "");
}
