import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** Signs ID tokens with RS256, as every OpenID provider must be able to. */
export interface Signer {
  /** What the provider publishes. */
  jwks(): { keys: object[] };
  /** `key: "unknown"` signs with a key that is not published, under the name of the one that is. */
  token(claims: object, key?: "known" | "unknown"): string;
}

export function createSigner(): Signer {
  // Making a key takes a while, and most who start the twins never sign in.
  const known = once(newKey);
  const unknown = once(newKey);
  return {
    jwks: () => ({
      keys: [
        { ...known().publicKey.export({ format: "jwk" }), kid: idOf(known()), use: "sig", alg: "RS256" },
      ],
    }),
    token(claims, key = "known") {
      const head = encoded({ alg: "RS256", typ: "JWT", kid: idOf(known()) });
      const text = `${head}.${encoded(claims)}`;
      const { privateKey } = key === "known" ? known() : unknown();
      return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
    },
  };
}

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function newKey(): Pair {
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

function idOf({ publicKey }: Pair): string {
  const der = publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("base64url").slice(0, 16);
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
