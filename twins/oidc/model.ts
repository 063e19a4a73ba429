export interface Client {
  readonly client_id: string;
  client_secret: string;
  redirect_uris: string[];
  name: string;
}

/** A person with an account at the provider. */
export interface Account {
  readonly sub: string;
  name: string;
  email: string | null;
  email_verified: boolean;
}

export interface Code {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly sub: string;
  readonly scopes: readonly string[];
  readonly nonce: string | undefined;
  readonly challenge: string;
  readonly expiresAt: number;
  /** The access token that it was exchanged for. */
  token?: string;
}

export interface Token {
  readonly token: string;
  readonly sub: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  revoked: boolean;
}

export interface World {
  clients: Client[];
  accounts: Account[];
  codes: Code[];
  tokens: Token[];
  /** Where claims about the address are: in the ID token too, or in the user info alone. */
  claimsIn: "id_token" | "userinfo";
}

export const lifetimes = { codeMs: 60_000, tokenMs: 3_600_000, idTokenMs: 300_000 } as const;
export const knownScopes = ["openid", "email", "profile"] as const;
