import { stored } from "../../../preferences/stored.ts";

const dayMs = 24 * 3_600_000;
const longestMs = 30 * dayMs;

/** When the person has marked everything as seen, by workspace; kept by the browser as one JSON object. */
const seen = stored<string>("molva.seen", (text) => text ?? "{}");

export function useSeen(
  workspaceId: string,
): [since: string | undefined, mark: (at: string | undefined) => void] {
  const all = parsed(seen.use());
  return [
    all[workspaceId],
    (at) => {
      const next = { ...parsed(seen.get()) };
      if (at === undefined) delete next[workspaceId];
      else next[workspaceId] = at;
      seen.set(JSON.stringify(next));
    },
  ];
}

function parsed(text: string): Record<string, string> {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== "object" || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string" && isRecent(entry[1]),
      ),
    );
  } catch {
    return {};
  }
}

/** Somebody who was away for long is shown a day, as a newcomer is: the rest is in the list of posts. */
function isRecent(at: string): boolean {
  return Date.now() - Date.parse(at) < longestMs;
}
