import type { BotServices } from "../services.ts";

const patience = { ms: 15_000, bytes: 3 * 1024 * 1024 } as const;
const gone: ReadonlySet<number> = new Set([404, 410]);
/** What Node says of a name that nobody knows. */
const unknownName = /\b(?:ENOTFOUND|EAI_AGAIN)\b/;

/** `wrong`: no such name, or an address of a private network. `gone`: the site has no such page. `silent`: it is down. */
export type SiteState = "answers" | "wrong" | "gone" | "silent";

/**
 * What stands at the address that a person gave. Private addresses are refused, also after redirects. A site that lets nobody look
 * (401, 403) is there all the same.
 */
export async function siteState(
  { guarded, platforms }: Pick<BotServices, "guarded" | "platforms">,
  address: string,
  signal: AbortSignal,
): Promise<SiteState> {
  const name = address.replace(/^https?:\/\//, "");
  const reached = platforms.platformOf("wordpress").siteOf?.(name);
  // The scheme that was typed counts, unless the name leads to the twin.
  const url = reached === undefined || reached === `https://${name}` ? address : reached;
  const answer = await guarded.request({
    ...{ method: "GET", url: `${url}/`, headers: { accept: "text/html,*/*;q=0.8" }, signal },
    ...{ timeoutMs: patience.ms, maxBytes: patience.bytes },
  });
  if (answer.kind === "failure") {
    if (answer.reason === "too_large") return "answers";
    return answer.reason === "refused" || unknownName.test(answer.message) ? "wrong" : "silent";
  }
  if (gone.has(answer.status)) return "gone";
  return answer.status < 500 ? "answers" : "silent";
}

export const siteAnswers = async (...asked: Parameters<typeof siteState>): Promise<boolean> =>
  (await siteState(...asked)) === "answers";
