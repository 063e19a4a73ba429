import type { Journal, JournalEntry, JournalQuery } from "./contract.ts";

const defaultCapacity = 20_000;
const defaultPage = 100;

/** The newest calls, oldest first; old ones are dropped in bulk, so that adding stays cheap. */
export function createJournal(clock: { now(): number }, capacity = defaultCapacity): Journal {
  let entries: JournalEntry[] = [];
  let born = 0;

  return {
    add(entry) {
      born += 1;
      const added: JournalEntry = { id: born, at: clock.now(), ...entry };
      entries.push(added);
      if (entries.length > capacity * 1.1) entries = entries.slice(-capacity);
      return added;
    },
    find(query) {
      const found = entries.slice(-capacity).filter((entry) => answers(entry, query));
      const limit = query.limit ?? defaultPage;
      // A reader with `after` follows the journal and gets what comes next; without it, the newest.
      return query.after === undefined ? found.slice(-limit) : found.slice(0, limit);
    },
    clear() {
      entries = [];
    },
  };
}

function answers(entry: JournalEntry, query: JournalQuery): boolean {
  return (
    entry.id > (query.after ?? 0) &&
    (query.provider === undefined || entry.provider === query.provider) &&
    (query.bot === undefined || entry.bot === query.bot || entry.botId === query.bot) &&
    (query.chat === undefined || entry.chat === query.chat) &&
    (query.method === undefined || entry.method.toLowerCase() === query.method.toLowerCase())
  );
}
