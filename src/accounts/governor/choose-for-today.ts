import type { TextRoom } from "../work/governor-contract.ts";

/**
 * The tasks that fit into today, in their order. A text goes only to as many chats as it may be repeated; more would wait until tomorrow
 * and displace another object. If fewer messages may go than there are tasks, every text gets an equal share.
 */
export function chooseForToday<Task>(
  tasks: readonly Task[],
  roomOf: (task: Task) => TextRoom,
  ceiling = Number.POSITIVE_INFINITY,
): Task[] {
  const byText = new Map<string | number, number[]>();
  for (const [place, task] of tasks.entries()) {
    const { key, copies } = roomOf(task);
    const places = byText.get(key) ?? [];
    if (places.length + 1 <= copies) places.push(place);
    byText.set(key, places);
  }
  const chosen = new Set<number>();
  for (let round = 0; chosen.size < ceiling; round++) {
    const places = [...byText.values()].flatMap((all) => all.slice(round, round + 1));
    if (places.length === 0) break;
    for (const place of places.slice(0, ceiling - chosen.size)) chosen.add(place);
  }
  return tasks.filter((_, place) => chosen.has(place));
}

/** How often a text may be repeated, assuming that the workspace's other accounts repeat it as often as in the last day. */
export function roomForText(trusted: number, others: number, othersWeight: number): number {
  return Math.max(1, trusted) - othersWeight * others;
}
