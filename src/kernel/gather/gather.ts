interface Waiting<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Batches single requests: those made while a batch is under way go together into the next one, in their order. `askAll`
 * returns results in the order of its items. If a batch fails, each item is retried alone, so that one bad item does not fail
 * the others; `askAll` must therefore be safe to repeat.
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
