import { openVault, variablesOf } from "../configured/index.ts";
import { configOf, type Terminal } from "./command.ts";

/** What keeping a secret needs: the keys that encrypt it, and which variables a workspace may name instead. */
export async function secretDeps(terminal: Terminal) {
  const config = configOf(terminal);
  return { vault: await openVault(config), variables: variablesOf(config, terminal.environment) };
}
