import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { AccountRef } from "../contract.ts";
import type { SessionStore, SessionValues } from "../session-store.ts";
import { callTwin, type RpcDeps, type RpcResult } from "./rpc.ts";
import { keyShape, type TwinChat } from "./shapes.ts";

export type TwinDeps = RpcDeps & { readonly sessions: SessionStore };

/** An account opened by one process. */
export interface TwinConnection {
  call(method: string, params: unknown, signal?: AbortSignal): Promise<RpcResult>;
  /** Takes another key; everything else of the account is deleted. */
  adopt(newKey: Uint8Array): Promise<void>;
  /** How a chat is reached, once the account knows it. */
  peer(chatId: string): Promise<Peer | undefined>;
  remember(chats: readonly TwinChat[]): Promise<void>;
  shut(): Promise<void>;
}

const peerShape = z.object({ id: z.number(), accessHash: z.string() });
export type Peer = z.infer<typeof peerShape>;

/** The key's data centre: the twin has only one. */
const keyPlace = "1";

export async function openTwin(deps: TwinDeps, account: AccountRef): Promise<TwinConnection> {
  const values = deps.sessions.values(account);
  const client = randomUUID();
  let key = await storedKey(values);
  let connected = false;

  /** The key is created and the device registered at the first call. */
  async function call(method: string, params: unknown, signal?: AbortSignal): Promise<RpcResult> {
    const greeted = connected ? undefined : await greet();
    if (greeted && greeted.kind !== "done") return greeted;
    connected = true;
    return callTwin(deps, { method, params, signal, ...(key !== undefined && { session: { key, client } }) });
  }

  async function greet(): Promise<RpcResult> {
    const params = { device: account.device };
    const session = key === undefined ? {} : { session: { key, client } };
    const result = await callTwin(deps, { method: "connect", params, ...session });
    if (result.kind === "done" && key === undefined) {
      key = keyShape.parse(result.body).key;
      await storeKey(values, key);
    }
    return result;
  }

  async function shut(): Promise<void> {
    if (connected && key !== undefined)
      await callTwin(deps, { method: "disconnect", params: {}, session: { key, client } });
  }

  return {
    call,
    async adopt(newKey) {
      await shut();
      await values.clear();
      key = Buffer.from(newKey).toString("base64url");
      await storeKey(values, key);
      connected = false;
    },
    async peer(chatId) {
      const stored = await values.get("peer", chatId);
      return stored && peerShape.parse(JSON.parse(Buffer.from(stored).toString("utf8")));
    },
    async remember(chats) {
      await values.put(
        "peer",
        chats.map(({ id, accessHash, username }) => ({
          key: String(id),
          value: Buffer.from(JSON.stringify({ id, accessHash })),
          names: username === undefined ? [] : [username.toLowerCase()],
        })),
      );
    },
    shut,
  };
}

async function storeKey(values: SessionValues, key: string): Promise<void> {
  await values.put("auth_key", [{ key: keyPlace, value: Buffer.from(key, "base64url") }]);
}

async function storedKey(values: SessionValues): Promise<string | undefined> {
  const bytes = await values.get("auth_key", keyPlace);
  return bytes && Buffer.from(bytes).toString("base64url");
}
