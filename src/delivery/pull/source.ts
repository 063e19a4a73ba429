/** What the puller knows of a source while it asks it. */
export const sourceKinds = ["rss", "api", "db"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Where a source stands: validators of the last answer, the newest item, whatever else its kind keeps. */
export type Cursor = Readonly<Record<string, unknown>>;

export interface Source {
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly kind: SourceKind;
  /** As it stands in the database; `readSourceConfig` makes sense of it. */
  readonly config: unknown;
  readonly secretRef: string | null;
  readonly endpointId: string | null;
  readonly cursor: Cursor;
  /** Items dated up to here were seen, have left the list and were forgotten. */
  readonly forgottenUpTo: Date | null;
}

/** A source in the hands of one run; the run's id is the lease's name. */
export interface LeasedSource extends Source {
  readonly runId: string;
}

/** One item of a source's list. */
export interface Candidate {
  /** The source's own id of it, the same in every list. */
  readonly ref: string;
  readonly publishedAt?: Date;
  /** Where the source stands once this item is taken. */
  readonly cursor: Cursor;
  /** The push body it becomes, made for new items only. Throws when nothing can be made of it. */
  post(): unknown;
}

/** What asking a source gave. */
export type Listing =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "listed";
      /** Oldest first. */
      readonly candidates: readonly Candidate[];
      /** Kept when every candidate is safe, and not before. */
      readonly cursor: Cursor;
      /** There is more to read right away. */
      readonly more: boolean;
    }
  | FailedListing;

export interface FailedListing {
  readonly kind: "failed";
  readonly failure: PullFailure;
}

export type PullFailureCode =
  | "source_config_invalid"
  | "source_secret_missing"
  | "source_unreachable"
  | "source_refused"
  | "source_timeout"
  | "source_too_large"
  | "source_http_error"
  | "source_malformed"
  | "source_query_failed"
  | "ingress_config_error"
  | "internal_error";

/** Why a source could not be read, in words for the person who set it up. */
export interface PullFailure {
  readonly code: PullFailureCode;
  readonly message: string;
  /** The source asked for this much patience. */
  readonly retryAfterMs?: number;
}

/** The templates of its fields are the source's configuration. */
export function expressionFailure({ message }: Error): PullFailure {
  return { code: "source_config_invalid", message };
}

export function failed(code: PullFailureCode, message: string, retryAfterMs?: number): FailedListing {
  return { kind: "failed", failure: { code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
}
