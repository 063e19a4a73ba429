import { buffer } from "node:stream/consumers";
import type { Clock } from "../../kernel/clock/index.ts";
import { rowOf, sha256Hex, type Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import { openLink, type PayloadReader, sealLink } from "./payload-link.ts";

/** Raw input from outside: a provider's answer to a failed attempt, or the body of a request to ingest. */
export type PayloadKind = "provider_answer" | "ingress_body";

/** Who reads and why; both go into the audit trail. */
export interface PayloadAccess {
  readonly caller: PayloadReader;
  readonly reason: string;
}

export interface PayloadLink {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Raw payloads: encrypted in object storage, listed in the database, every reading recorded as an event. Returns undefined for
 * a payload of another workspace or an expired one.
 */
export interface PayloadStore {
  /** Stores the raw payload and returns the `payload_ref` for its event. */
  save(workspaceId: string, kind: PayloadKind, raw: string | Uint8Array): Promise<string>;
  read(workspaceId: string, ref: string, access: PayloadAccess): Promise<Buffer | undefined>;
  /** A link that anybody who has it may use for a while, at most ten minutes. */
  signedLink(
    workspaceId: string,
    ref: string,
    access: PayloadAccess & { readonly expiresInMs: number },
  ): Promise<PayloadLink | undefined>;
  followLink(token: string): Promise<Buffer | undefined>;
}

export interface PayloadStoreDeps {
  readonly sql: Sql;
  readonly storage: ObjectStorage;
  readonly vault: Vault;
  readonly clock: Clock;
}

export const longestLinkMs = 10 * 60_000;

export function createPayloadStore({ sql, storage, vault, clock }: PayloadStoreDeps): PayloadStore {
  /** Where the payload is stored; the database returns that only together with writing an event of the reading. */
  async function open(
    workspaceId: string,
    ref: string,
    { caller, reason }: PayloadAccess,
    via: "direct" | "link" | "link_issued",
  ): Promise<{ storage_key: string; sha256: string } | undefined> {
    const [opened] = await sql<{ storage_key: string; sha256: string }[]>`
      select storage_key, sha256 from delivery.payload_open(
        ${workspaceId}, ${ref}, ${sql.json({ ...caller })}, ${reason}, ${via}, ${clock.now()})`;
    return opened;
  }

  async function fetch(opened: { storage_key: string; sha256: string }): Promise<Buffer | undefined> {
    const object = await storage.get(opened.storage_key);
    if (!object) return undefined;
    const sealed = await buffer(object.body);
    const raw = Buffer.from(
      vault.decrypt(sealed.toString("latin1"), placeOfPayload(opened.storage_key)),
      "base64",
    );
    if (sha256Hex(raw) !== opened.sha256) throw new Error("the stored payload is not the one that was saved");
    return raw;
  }

  return {
    async save(workspaceId, kind, raw) {
      const bytes = Buffer.from(raw);
      const [noted] = await sql<{ payload_ref: string; storage_key: string }[]>`
        select payload_ref, storage_key from delivery.payload_note(
          ${workspaceId}, ${kind}, ${bytes.length}, ${sha256Hex(bytes)}, ${clock.now()})`;
      if (!noted) throw new Error(`there is no workspace ${workspaceId} to keep a payload for`);
      const sealed = Buffer.from(
        vault.encrypt(bytes.toString("base64"), placeOfPayload(noted.storage_key)),
        "latin1",
      );
      await storage.put(noted.storage_key, sealed, { contentType: "application/octet-stream" });
      return noted.payload_ref;
    },

    async read(workspaceId, ref, access) {
      const opened = await open(workspaceId, ref, access, "direct");
      return opened && fetch(opened);
    },

    async signedLink(workspaceId, ref, { caller, reason, expiresInMs }) {
      if (!(expiresInMs > 0 && expiresInMs <= longestLinkMs))
        throw new RangeError("a link to a raw payload lives for ten minutes at most");
      const opened = await open(workspaceId, ref, { caller, reason }, "link_issued");
      if (!opened) return undefined;
      const expiresAt = new Date(clock.now().getTime() + expiresInMs);
      const { kind, id } = caller;
      const token = sealLink({ workspaceId, ref, expiresAt, caller: { kind, id }, reason }, vault);
      return { token, expiresAt };
    },

    async followLink(token) {
      const grant = openLink(token, vault, clock.now());
      const opened = grant && (await open(grant.workspaceId, grant.ref, grant, "link"));
      return opened && fetch(opened);
    },
  };
}

/** The place that a payload is encrypted for. */
export const placeOfPayload = (storageKey: string) => rowOf("delivery.payloads", storageKey);
