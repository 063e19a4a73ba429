import type { StoredBlob } from "../shared/index.ts";

export interface App {
  readonly client_id: string;
  name: string;
  client_secret: string;
  redirect_uris: string[];
  /** Trial apps may not create Pins outside the sandbox. */
  access: "trial" | "standard";
  /** Whether it may change Pins. */
  beta: boolean;
}

export interface Account {
  readonly id: string;
  username: string;
  account_type: "BUSINESS" | "PINNER";
  business_name: string;
  about: string;
  state: "active" | "disapproved" | "under_review";
}

export interface Token {
  readonly token: string;
  readonly refresh: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  readonly refreshExpiresAt: number;
  revoked: boolean;
  refreshed: boolean;
}

export interface Code {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  used: boolean;
}

export type Privacy = "PUBLIC" | "PROTECTED" | "SECRET";

export interface Board {
  readonly id: string;
  readonly accountId: string;
  name: string;
  description: string | null;
  privacy: Privacy;
  readonly createdAt: number;
  sections: { readonly id: string; readonly name: string }[];
}

export interface Pin {
  readonly id: string;
  readonly accountId: string;
  boardId: string;
  sectionId: string | null;
  title: string | null;
  description: string | null;
  link: string | null;
  altText: string | null;
  readonly colour: string | null;
  readonly blob: StoredBlob;
  readonly width: number;
  readonly height: number;
  readonly createdAt: number;
}

export interface World {
  lastId: number;
  apps: App[];
  accounts: Account[];
  tokens: Token[];
  codes: Code[];
  boards: Board[];
  pins: Pin[];
  /** Hosts whose links are refused as spam. */
  flaggedHosts: string[];
}
