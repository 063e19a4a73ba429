import { randomBytes } from "node:crypto";
import { z } from "zod";
import { sha256Hex, type Vault } from "../../kernel/crypto/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";
import { goodForMs } from "./times.ts";

const ownerShape = z.object({ product: z.string(), user: z.string() });

/** The purpose of the consent: an operator gets a credential, a product's user continues with the bot. */
const purposeShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("credential"),
    auth_ref: z.string(),
    operator: z.string(),
    reason: z.string().optional(),
  }),
  z.object({ kind: z.literal("product"), owner: ownerShape, bot: z.string() }),
]);
export type ConsentPurpose = z.infer<typeof purposeShape>;

const askedShape = z.object({ workspaceId: z.string(), userId: z.string(), purpose: purposeShape });
export type AskedConsent = z.infer<typeof askedShape>;

const givenShape = z.object({
  workspaceId: z.string(),
  owner: ownerShape,
  credential: z.record(z.string(), z.string()),
});
export type GivenConsent = z.infer<typeof givenShape>;

export interface ConsentStore {
  /** Stores the request and returns its nonce. */
  ask(asked: AskedConsent): Promise<string>;
  asked(nonce: string): Promise<AskedConsent | undefined>;
  /** Ends the exchange. Of several callers with the same nonce, exactly one gets true. */
  end(nonce: string): Promise<boolean>;
  /** True for the first caller with this state. */
  takeState(state: string): Promise<boolean>;
  /** Stores what was granted, encrypted, until its product fetches it. */
  keep(nonce: string, given: GivenConsent): Promise<void>;
  kept(nonce: string): Promise<GivenConsent | undefined>;
  forget(nonce: string): Promise<boolean>;
}

/** The beginning of the keys of what was granted; each is also the place that its value is encrypted for. */
export const givenPrefix = (platform: string) => `${platform}_auth:`;

/** Everything expires after half an hour and may be lost in a crash: the person then starts again. */
export function createConsentStore(
  keyValue: Pick<KeyValue, "get" | "set" | "setIfAbsent" | "delete">,
  vault: Pick<Vault, "encrypt" | "decrypt">,
  platform: string,
): ConsentStore {
  const life = { ttlMs: goodForMs };
  const askedKey = (nonce: string) => `${platform}_auth_asked:${nonce}`;
  const givenKey = (nonce: string) => `${givenPrefix(platform)}${nonce}`;
  return {
    async ask(asked) {
      const nonce = randomBytes(16).toString("hex");
      await keyValue.set(askedKey(nonce), JSON.stringify(asked), life);
      return nonce;
    },
    async asked(nonce) {
      const text = await keyValue.get(askedKey(nonce));
      return text === undefined ? undefined : askedShape.parse(JSON.parse(text));
    },
    end: (nonce) => keyValue.delete(askedKey(nonce)),
    takeState: (state) => keyValue.setIfAbsent(`${platform}_auth_used:${sha256Hex(state)}`, "1", life),
    async keep(nonce, given) {
      await keyValue.set(givenKey(nonce), vault.encrypt(JSON.stringify(given), givenKey(nonce)), life);
    },
    async kept(nonce) {
      const sealed = await keyValue.get(givenKey(nonce));
      return sealed === undefined
        ? undefined
        : givenShape.parse(JSON.parse(vault.decrypt(sealed, givenKey(nonce))));
    },
    forget: (nonce) => keyValue.delete(givenKey(nonce)),
  };
}
