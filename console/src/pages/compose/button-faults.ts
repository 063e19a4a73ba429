import type { LinkButton } from "./post.ts";

export type ButtonFault = "noText" | "badUrl";

/** What is missing, by the key of the button. A button without anything is unfinished too. */
export function faultsOfButtons(buttons: readonly LinkButton[]): ReadonlyMap<string, readonly ButtonFault[]> {
  const faults = new Map<string, readonly ButtonFault[]>();
  for (const { key, text, url } of buttons) {
    const found: ButtonFault[] = [
      ...(text.trim() === "" ? (["noText"] as const) : []),
      ...(isAddress(url.trim()) ? [] : (["badUrl"] as const)),
    ];
    if (found.length > 0) faults.set(key, found);
  }
  return faults;
}

function isAddress(url: string): boolean {
  try {
    // A name without a scheme would be read as relative to this page.
    return /^[a-z]+:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}
