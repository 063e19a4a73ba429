import type { Command } from "commander";
import type { SettingGroup } from "../kernel/config/index.ts";

/** Input and output of commands, so that tests can replace them. */
export interface World {
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

/** What the program passes to its commands. */
export interface Terminal extends World {
  /** The settings that modules add. */
  readonly settings: readonly SettingGroup[];
}

/** One command: it adds itself to the program. */
export type AddCommand = (program: Command, terminal: Terminal) => void;
