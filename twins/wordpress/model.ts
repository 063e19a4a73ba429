export type Role = "administrator" | "editor" | "author" | "contributor" | "subscriber";

export interface User {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  name: string;
  role: Role;
  /** Application passwords without their spaces. */
  passwords: string[];
  /** False: this person may not use application passwords. */
  applicationPasswords: boolean;
}

export type PostStatus = "publish" | "future" | "draft" | "pending" | "private" | "trash";

export interface Post {
  readonly id: number;
  author: number;
  title: string;
  content: string;
  excerpt: string;
  status: PostStatus;
  slug: string;
  /** Milliseconds since the epoch. */
  date: number;
  modified: number;
  readonly guid: string;
  password: string;
  categories: number[];
  tags: number[];
  featuredMedia: number;
  commentStatus: "open" | "closed";
  pingStatus: "open" | "closed";
  sticky: boolean;
  format: string;
  template: string;
  /** All stored meta, whether REST shows it or not. */
  meta: Record<string, unknown>;
  revisions: number;
  /** The state before it was moved to the trash. */
  before?: { readonly status: PostStatus; readonly slug: string };
}

export interface Media {
  readonly id: number;
  readonly author: number;
  title: string;
  caption: string;
  description: string;
  alt: string;
  slug: string;
  readonly date: number;
  modified: number;
  post: number | null;
  /** `2026/11/a.jpg`, below the folder of uploads. */
  readonly file: string;
  readonly blob: string;
  readonly mime: string;
  readonly bytes: number;
  readonly width?: number;
  readonly height?: number;
}

export interface Term {
  readonly id: number;
  readonly taxonomy: "category" | "post_tag";
  name: string;
  slug: string;
  description: string;
  parent: number;
}

/** How a site behaves; `PATCH` of the control API changes it. */
export interface SiteOptions {
  title: string;
  tagline: string;
  version: string;
  locale: "en_US" | "ru_RU";
  timezone: string;
  permalinks: "pretty" | "plain";
  /** The folder of the site's host that WordPress is in: `blog`, or empty. */
  folder: string;
  plugins: ("yoast" | "rankmath")[];
  /** Meta keys that REST shows and accepts. */
  registeredMeta: string[];
  /**
   * `off`: credentials are ignored and the index offers none, as in core. `refused`: they are answered with an error.
   */
  applicationPasswords: "on" | "off" | "refused";
  /**
   * `ignored`: a wrong password counts as none, as in plain core since 6.3.2. `refused`: it is an error on every route.
   */
  badPassword: "refused" | "ignored";
  /**
   * `members`: requests without a sign-in get 401. The others are plugins and web servers that block REST for
   * everybody.
   */
  rest: "on" | "members" | "forbidden" | "forbidden_html" | "not_acceptable_html" | "absent";
  /** The web server removes the Authorization header. */
  stripsAuthorization: boolean;
  maintenance: "none" | "page_200" | "page_503";
  /** PHP's `upload_max_filesize` and `post_max_size`, and the web server's own limit (413). */
  uploadMaxBytes: number;
  postMaxBytes: number;
  bodyMaxBytes: number;
  /** File types by extension, in addition to WordPress' own; with `only`, instead of them. */
  mimeTypes: Record<string, string> | null;
  /** Everything is redirected (301) to this address, path and all. */
  movedTo: string | null;
  /** Files that the owner has put into the root of the site, by name. */
  files?: Record<string, string>;
}

export interface Site {
  readonly name: string;
  options: SiteOptions;
  users: User[];
  posts: Post[];
  media: Media[];
  terms: Term[];
  /** Posts, media and revisions share one sequence; so do the terms of both taxonomies. */
  lastId: number;
  lastTermId: number;
}

export interface World {
  sites: Site[];
}
