import type { TextRoom } from "../work/governor.ts";

/**
 * The tasks that today has room for, in their order. A text goes to as many chats as it may be repeated; the rest
 * would only wait until tomorrow and take the place of another object.
 */
export function chooseForToday<Task>(tasks: readonly Task[], roomOf: (task: Task) => TextRoom): Task[] {
  const taken = new Map<string | number, number>();
  return tasks.filter((task) => {
    const { key, copies } = roomOf(task);
    const before = taken.get(key) ?? 0;
    if (before + 1 > copies) return false;
    taken.set(key, before + 1);
    return true;
  });
}

/** The room of a text, if the workspace's other accounts repeat it as often as in the last day. */
export function roomForText(trusted: number, others: number, othersWeight: number): number {
  return Math.max(1, trusted) - othersWeight * others;
}
