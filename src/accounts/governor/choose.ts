/** What the planner keeps to: how many messages today, and how many of them with one text. */
export interface DayRoom {
  readonly ceiling: number;
  readonly copies: number;
}

/**
 * The tasks that today has room for, in their order. An object goes to as many chats as its text may be repeated; the
 * rest would only wait until tomorrow and take the place of another object.
 */
export function chooseForToday<Task>(
  tasks: readonly Task[],
  objectOf: (task: Task) => string | number,
  room: DayRoom,
): Task[] {
  const taken = new Map<string | number, number>();
  const chosen: Task[] = [];
  for (const task of tasks) {
    if (chosen.length >= room.ceiling) break;
    const object = objectOf(task);
    const copies = taken.get(object) ?? 0;
    if (copies >= room.copies) continue;
    taken.set(object, copies + 1);
    chosen.push(task);
  }
  return chosen;
}
