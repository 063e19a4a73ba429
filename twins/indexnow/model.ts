/** A key that was used for a host, with the result of its check. */
export interface KnownKey {
  readonly host: string;
  readonly key: string;
  readonly location: string;
  /** `pending` until its file was fetched. */
  state: "pending" | "good" | "refused";
  /** Why it was refused. */
  because?: string;
}

export interface ToldPage {
  readonly url: string;
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface World {
  keys: KnownKey[];
  pages: ToldPage[];
}
