import { readFile } from "node:fs/promises";
import type { Config } from "../kernel/config/index.ts";

export interface Network {
  readonly extraCa?: string;
  readonly proxy?: string;
}

/** HTTP clients and sockets of this installation. */
export async function networkOf(config: Config): Promise<Network> {
  return {
    ...(config.MOLVA_EXTRA_CA ? { extraCa: await readFile(config.MOLVA_EXTRA_CA, "utf8") } : {}),
    ...(config.MOLVA_PROXY ? { proxy: config.MOLVA_PROXY } : {}),
  };
}
