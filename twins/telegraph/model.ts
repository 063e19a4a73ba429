import type { Tag } from "./tags.ts";

export interface Account {
  readonly id: number;
  /** Gives full control over the account and its pages. */
  token: string;
  shortName: string;
  authorName: string;
  authorUrl: string;
  /** Links that sign a browser in, each valid once. */
  authLinks: AuthLink[];
}

export interface AuthLink {
  readonly code: string;
  readonly expiresAt: number;
}

export interface Page {
  readonly path: string;
  readonly accountId: number;
  title: string;
  authorName: string;
  authorUrl: string;
  content: Node[];
  readonly createdAt: number;
  changedAt: number;
  /** Readers by hour: `2026-11-15T12` (UTC) to their count. */
  readonly views: Record<string, number>;
}

export type Node = string | NodeElement;

export interface NodeElement {
  readonly tag: Tag;
  readonly attrs?: { readonly href?: string; readonly src?: string };
  readonly children?: readonly Node[];
}

export interface Options {
  /** Whether unknown tags make the content invalid, or are dropped while their content stays. */
  unknownTags: "refuse" | "drop";
}

export interface World {
  lastId: number;
  accounts: Account[];
  /** Oldest first. */
  pages: Page[];
  options: Options;
}
