import type { StoredBlob } from "../shared/index.ts";

export type TokenKind = "community" | "user" | "vkid";

export interface User {
  readonly id: number;
  first_name: string;
  last_name: string;
  screen_name: string;
  state: "active" | "deleted" | "banned";
}

export type Role = "moderator" | "editor" | "administrator";

export interface Group {
  readonly id: number;
  name: string;
  screen_name: string;
  type: "page" | "group" | "event";
  /** 0 open, 1 closed, 2 private. */
  is_closed: 0 | 1 | 2;
  /** 0 switched off, 1 open to all, 2 posts of the community that all may comment, 3 closed. */
  wall: 0 | 1 | 2 | 3;
  description: string;
  members_count: number;
  links_forbidden: boolean;
  managers: { user_id: number; role: Role }[];
  members: number[];
}

export interface Token {
  readonly token: string;
  readonly kind: TokenKind;
  /** Of a community's key. */
  readonly groupId?: number;
  /** Of a person's keys. */
  readonly userId?: number;
  scopes: string[];
  expiresAt?: number;
  revoked: boolean;
  /** How many more writes are stopped by a captcha. */
  captchas: number;
}

export interface Photo {
  readonly id: number;
  readonly ownerId: number;
  readonly albumId: number;
  readonly userId: number;
  readonly accessKey: string;
  readonly blob: StoredBlob;
  readonly width: number;
  readonly height: number;
  readonly caption: string;
  readonly date: number;
  /** Photos for messages are visible only with their key. */
  readonly secret: boolean;
}

export type Attachment =
  | { readonly type: "photo"; readonly ownerId: number; readonly id: number }
  | { readonly type: "link"; readonly url: string; readonly title?: string };

export interface Post {
  readonly id: number;
  readonly ownerId: number;
  readonly fromId: number;
  /** The token's holder; a community's key has none. */
  readonly createdBy: number;
  readonly createdAt: number;
  /** When readers see it; a scheduled post is hidden until then. */
  publishAt: number;
  text: string;
  attachments: Attachment[];
  signed: boolean;
  closeComments: boolean;
  ads: boolean;
  copyright?: string;
  readonly guid?: string;
  editedAt?: number;
  deleted: boolean;
}

export interface Upload {
  readonly key: string;
  readonly purpose: "wall" | "messages";
  readonly token: string;
  readonly groupId: number;
  readonly userId: number;
  readonly expiresAt: number;
}

/** What an upload server has received and is not saved yet. */
export interface Received {
  readonly upload: Upload;
  readonly server: number;
  readonly photo: string;
  readonly hash: string;
  readonly blob: StoredBlob;
  readonly width: number;
  readonly height: number;
  savedAs?: number;
}

export interface Captcha {
  readonly sid: string;
  readonly token: string;
  readonly answer: string;
  readonly expiresAt: number;
  used: boolean;
}

export interface App {
  readonly client_id: string;
  name: string;
  client_secret: string;
  redirect_uris: string[];
}

export interface Code {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly expiresAt: number;
  used: boolean;
  /** Of a person who signs in with VK ID. */
  readonly signIn?: {
    readonly userId: number;
    readonly deviceId: string;
    readonly challenge: string;
    readonly scope: string;
    readonly state: string;
  };
  /** Of communities whose manager gives their keys away. */
  readonly groups?: { readonly ids: readonly number[]; readonly scopes: readonly string[] };
}

export interface RefreshToken {
  readonly token: string;
  readonly clientId: string;
  readonly deviceId: string;
  readonly userId: number;
  readonly scope: string;
  readonly expiresAt: number;
  used: boolean;
}

export interface Options {
  /** The answer to a second post with the same guid and content: the first post's id, a new post, or a refusal. */
  guid_repeat: "first" | "second" | "refused";
  guid_seconds: number;
  /** Whether a community's key may read, edit and delete its posts as well; VK's documentation says it may not. */
  community_wall: boolean;
  /** Whether photos uploaded for messages may be attached to posts. */
  message_photos: boolean;
  posts_per_day: number;
  postponed_posts: number;
  edit_hours: number;
}

export interface World {
  lastId: number;
  users: User[];
  groups: Group[];
  tokens: Token[];
  posts: Post[];
  photos: Photo[];
  uploads: Upload[];
  received: Received[];
  captchas: Captcha[];
  apps: App[];
  codes: Code[];
  refreshTokens: RefreshToken[];
  options: Options;
}

export const adminLevel: Readonly<Record<Role, 1 | 2 | 3>> = { moderator: 1, editor: 2, administrator: 3 };

/** A person's level in a community; 0 for everybody else. */
export function levelOf(group: Group, userId: number | undefined): 0 | 1 | 2 | 3 {
  const manager = group.managers.find(({ user_id }) => user_id === userId);
  return manager ? adminLevel[manager.role] : 0;
}

/** The name of a wall in fault scripts, the journal and the page: a community's number, or `id5` for a person's. */
export const wallName = (ownerId: number): string => (ownerId < 0 ? String(-ownerId) : `id${ownerId}`);
