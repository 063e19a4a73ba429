import type { Progress } from "./contract.ts";

/** Tracks progress over what was stored, with a function to store one more; what is stored is visible at once. */
export function trackProgress(
  stored: readonly (string | null | undefined)[],
  store: (index: number, providerMessageId: string) => Promise<void>,
): Progress {
  const acknowledged = stored.map((id) => id ?? undefined);
  return {
    acknowledged,
    async acknowledge(index, providerMessageId) {
      await store(index, providerMessageId);
      acknowledged[index] = providerMessageId;
    },
  };
}
