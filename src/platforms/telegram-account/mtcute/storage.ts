import type { IPeersRepository, IReferenceMessagesRepository, ITelegramStorageProvider } from "@mtcute/core";
import { z } from "zod";
import type { SessionValues, StoredValue, ValueKind } from "../session-store.ts";

/** mtcute's storage, and a way to wait for its writes. */
export interface MtcuteStorage {
  readonly provider: ITelegramStorageProvider;
  /** Waits until everything is written; throws errors since the last call. */
  settle(): Promise<void>;
}

/**
 * mtcute's data of an account, in our table. Keys and settings are loaded before mtcute starts and written in the
 * background: a database error while it connects would end the process.
 */
export async function openStorage(values: SessionValues): Promise<MtcuteStorage> {
  const writes = createWrites();
  const settings = await mirrorOf("kv", values, writes);
  const keys = await mirrorOf("auth_key", values, writes);
  const peers = await peersRepository(values);
  return {
    provider: {
      driver: { save: () => writes.add(() => peers.flush()) },
      kv: {
        set: settings.set,
        get: settings.get,
        delete: settings.remove,
        deleteAll: settings.clear,
      },
      authKeys: authKeys(keys),
      peers: peers.peers,
      refMessages: peers.references,
    },
    async settle() {
      await writes.add(() => peers.flush());
      writes.rethrow();
    },
  };
}

interface Writes {
  /** Never rejects. */
  add(write: () => Promise<void>): Promise<void>;
  rethrow(): void;
}

function createWrites(): Writes {
  let last: Promise<void> = Promise.resolve();
  let failures: unknown[] = [];
  return {
    add(write) {
      last = last.then(write).catch((error: unknown) => void failures.push(error));
      return last;
    },
    rethrow() {
      const [first] = failures;
      failures = [];
      if (first !== undefined) throw first;
    },
  };
}

interface Mirror {
  get(key: string): Uint8Array | null;
  set(key: string, value: Uint8Array): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

async function mirrorOf(kind: ValueKind, values: SessionValues, writes: Writes): Promise<Mirror> {
  const mirror = new Map((await values.list(kind)).map(({ key, value }) => [key, value]));
  return {
    get: (key) => mirror.get(key) ?? null,
    set(key, value) {
      const copy = new Uint8Array(value);
      mirror.set(key, copy);
      return writes.add(() => values.put(kind, [{ key, value: copy }]));
    },
    remove(key) {
      mirror.delete(key);
      return writes.add(() => values.remove(kind, key));
    },
    clear() {
      mirror.clear();
      return writes.add(() => values.clear(kind));
    },
  };
}

/** Temporary keys are not stored: the next connection creates new ones. */
function authKeys(keys: Mirror): ITelegramStorageProvider["authKeys"] {
  const temporary = new Map<string, Uint8Array>();
  return {
    set: (centre, key) => (key ? keys.set(String(centre), key) : keys.remove(String(centre))),
    get: (centre) => keys.get(String(centre)),
    setTemp(centre, index, key) {
      if (key) temporary.set(`${centre} ${index}`, key);
      else temporary.delete(`${centre} ${index}`);
    },
    getTemp: (centre, index) => temporary.get(`${centre} ${index}`) ?? null,
    deleteByDc(centre) {
      for (const name of temporary.keys()) if (name.startsWith(`${centre} `)) temporary.delete(name);
      return keys.remove(String(centre));
    },
    deleteAll() {
      temporary.clear();
      return keys.clear();
    },
  };
}

const peerShape = z.object({
  id: z.number(),
  accessHash: z.string(),
  isMin: z.boolean(),
  usernames: z.array(z.string()),
  updated: z.number(),
  phone: z.string().optional(),
  complete: z.base64(),
});
type Peer = IPeersRepository.PeerInfo;

interface Peers {
  readonly peers: IPeersRepository;
  readonly references: IReferenceMessagesRepository;
  flush(): Promise<void>;
}

/** A page of dialogs has a hundred peers: they are collected and written at once. */
async function peersRepository(values: SessionValues): Promise<Peers> {
  const unsaved = new Map<string, Peer>();
  /** mtcute deletes the reference of every peer that it stores; most have none. */
  const referenced = new Set((await values.list("reference")).map(({ key }) => key));
  const among = (fits: (peer: Peer) => boolean) =>
    [...unsaved.values()].find((peer) => !peer.isMin && fits(peer));
  const named = async (name: string) => readPeer((await values.find("peer", name))?.value);

  return {
    peers: {
      store: (peer) => void unsaved.set(String(peer.id), peer),
      getById: async (id) =>
        unsaved.get(String(id)) ?? readPeer(await values.get("peer", String(id))) ?? null,
      getByUsername: async (username) =>
        among(({ usernames }) => usernames.includes(username)) ??
        (await named(`username ${username}`)) ??
        null,
      // Nobody is looked up by phone here, and a phone's hash is easily guessed.
      getByPhone: (phone) => among((peer) => peer.phone === phone) ?? null,
      async deleteAll() {
        unsaved.clear();
        await values.clear("peer");
      },
    },
    references: {
      async store(peerId, chatId, messageId) {
        referenced.add(String(peerId));
        await values.put("reference", [
          {
            key: String(peerId),
            value: Buffer.from(`${chatId} ${messageId}`),
            names: [`${chatId} ${messageId}`],
          },
        ]);
      },
      async getByPeer(peerId) {
        if (!referenced.has(String(peerId))) return null;
        const stored = await values.get("reference", String(peerId));
        const [chatId, messageId] = stored ? Buffer.from(stored).toString().split(" ").map(Number) : [];
        return chatId === undefined || messageId === undefined ? null : [chatId, messageId];
      },
      async delete(chatId, messageIds) {
        for (const id of messageIds) await values.removeNamed("reference", `${chatId} ${id}`);
      },
      async deleteByPeer(peerId) {
        if (referenced.delete(String(peerId))) await values.remove("reference", String(peerId));
      },
      async deleteAll() {
        referenced.clear();
        await values.clear("reference");
      },
    },
    async flush() {
      const batch = [...unsaved];
      await values.put(
        "peer",
        batch.map(([, peer]) => storedPeer(peer)),
      );
      for (const [id, peer] of batch) if (unsaved.get(id) === peer) unsaved.delete(id);
    },
  };
}

function storedPeer(peer: Peer): StoredValue {
  const { complete, usernames, isMin } = peer;
  return {
    key: String(peer.id),
    value: Buffer.from(JSON.stringify({ ...peer, complete: Buffer.from(complete).toString("base64") })),
    names: isMin ? [] : usernames.map((name) => `username ${name}`),
  };
}

function readPeer(stored: Uint8Array | undefined): Peer | undefined {
  if (!stored) return undefined;
  const { phone, complete, ...peer } = peerShape.parse(JSON.parse(Buffer.from(stored).toString("utf8")));
  return {
    ...peer,
    complete: new Uint8Array(Buffer.from(complete, "base64")),
    ...(phone !== undefined && { phone }),
  };
}
