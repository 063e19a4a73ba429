/** What every command may use of the world, so that tests can hand in their own. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  readonly isTerminal: boolean;
  /**
   * A line from whoever sits there, or from a pipe; undefined when there is no more. A secret is not shown while it is typed.
   * Absent where nobody can be asked.
   */
  ask?(question: string, options?: { readonly secret?: boolean }): Promise<string | undefined>;
}
