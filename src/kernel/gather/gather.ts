interface Waiting<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Turns a question about many things into one about a single thing: whatever is asked while an earlier question is under way
 * goes together with the next, in the order in which it was asked. `askAll` answers in the order of its items. When a
 * question about several fails, each is asked alone, so that nobody suffers for another's: it must bear being asked twice.
 */
export function gather<Item, Answer>(
  askAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { most = 200 }: { most?: number } = {},
): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  let asking = false;

  async function run(): Promise<void> {
    asking = true;
    for (let batch = waiting.splice(0, most); batch.length > 0; batch = waiting.splice(0, most))
      await askFor(batch);
    asking = false;
  }

  async function askFor(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await askAll(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error("a question stayed without an answer"));
        else resolve(answer);
      }
    } catch (error) {
      if (batch.length === 1) for (const { reject } of batch) reject(error);
      else for (const each of batch) await askFor([each]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!asking) void run();
    });
}
