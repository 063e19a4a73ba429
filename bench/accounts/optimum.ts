import { intervalMs, jitterMs } from "../../src/accounts/plan/modes.ts";
import { createAgenda } from "./agenda.ts";
import { beginning, dayMs, midnightOf, minuteMs, windowCloses, windowOpens } from "./calendar.ts";
import { randomOf } from "./random.ts";
import { countSent, type Tally } from "./tally.ts";
import { createWorkspace } from "./world/demand.ts";
import { createTelegram } from "./world/telegram.ts";

/**
 * A planner that knows every threshold: whenever the account's mode allows it, it sends the first task that stays
 * within all of them, right up to the threshold, and never gets a warning. No planner without this knowledge can do
 * better.
 */
export function optimum(
  options: { readonly seed: number; readonly workspace: number; readonly days: number },
  tally: Tally,
  seen: (index: number, at: number) => void = () => undefined,
): void {
  const { seed, workspace: number, days } = options;
  const workspace = createWorkspace(seed, number);
  const telegram = createTelegram({
    seed,
    workspace: number,
    accounts: workspace.publishers.length,
    connectedAt: beginning,
  });
  const chances = workspace.publishers.map(({ index }) => randomOf(seed, number, index, "jitter"));

  for (let day = 0; day < days; day++) {
    const midnight = midnightOf(beginning + day * dayMs + dayMs / 2);
    const closes = windowCloses(midnight);
    const agenda = createAgenda<number>();
    const left = workspace.publishers.map((publisher) => workspace.tasksOf(publisher));
    const sent = workspace.publishers.map(() => 0);
    for (const { index } of workspace.publishers) {
      tally.accountDays++;
      agenda.put(windowOpens(midnight), index);
    }
    for (let next = agenda.take(); next && next.at < closes; next = agenda.take()) {
      const { at, what: index } = next;
      const publisher = workspace.publishers[index];
      const tasks = left[index];
      const done = sent[index];
      const chance = chances[index];
      if (!publisher || !tasks || done === undefined || !chance)
        throw new Error(`there is no account ${index}`);
      const room = Math.min(tasks.length, publisher.dailyLimit - done);
      if (room <= 0) continue;
      const copies = new Map<number, number>();
      const copiesOf = (house: number) => {
        const load = copies.get(house) ?? telegram.copiesLoad(index, house, at);
        copies.set(house, load);
        return load;
      };
      const place =
        telegram.loadAt(index, at) > 1
          ? -1
          : tasks.findIndex(
              ({ chat, object }) =>
                chat.writable &&
                at >= chat.lastAt + chat.slowModeSeconds * 1000 &&
                copiesOf(object.house) <= 1,
            );
      const [task] = place < 0 ? [] : tasks.splice(place, 1);
      if (!task) {
        agenda.put(at + minuteMs, index);
        continue;
      }
      telegram.take({ account: index, chat: task.chat, house: task.object.house, at });
      sent[index] = done + 1;
      seen(index, at);
      countSent(tally, Math.floor((at - beginning) / dayMs / 7), telegram.kindOf(index));
      const interval = intervalMs(publisher);
      const gap = interval === undefined ? (closes - at) / room : interval + jitterMs(chance.next);
      agenda.put(at + Math.max(minuteMs, gap), index);
    }
    for (const { chats } of workspace.publishers)
      for (const chat of chats) if (!chat.writable) chat.closed = true;
    workspace.nextDay();
  }
}
