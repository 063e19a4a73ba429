export interface Tags {
  readonly tests: readonly {
    readonly title: string;
    readonly covers: readonly { readonly part: string; readonly name: string }[];
  }[];
  readonly stray: readonly number[];
}
export function tagsIn(source: string): Tags;
