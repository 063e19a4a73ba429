/** The part of the package `az` that is used; it has no types of its own. */
declare module "az" {
  interface Parse {
    readonly score: number;
    readonly parser: string;
    readonly tag: { readonly POST?: string; readonly POS?: string };
    normalize(): Parse | false;
    toString(): string;
  }
  interface Options {
    readonly ignoreCase?: boolean;
    readonly stutter?: number;
    readonly typos?: number;
    readonly parsers?: readonly string[];
  }
  interface Morph {
    (word: string, options?: Options): Parse[];
    init(loaded: (error: Error | null | undefined) => void): void;
  }
  const az: { readonly Morph: Morph };
  export default az;
}
