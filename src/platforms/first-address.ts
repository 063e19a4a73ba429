import { parsedUrl } from "../kernel/url/index.ts";

/** The first web address in a text. A full stop or a bracket after an address is not part of it. */
export function firstAddress(text: string): string | undefined {
  const found = /https?:\/\/[^\s()[\]«»"<>]+/i.exec(text)?.[0].replace(/[.,;:!?…]{1,9}$/, "");
  return found && parsedUrl(found) ? found : undefined;
}
