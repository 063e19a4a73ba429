/** One order for many channels, a few at a time, with an outcome for each. */
export interface Outcome<Result> {
  readonly id: string;
  readonly result?: Result;
  readonly error?: Error;
}

const atOnce = 4;

export async function forEach<Result>(
  ids: readonly string[],
  work: (id: string) => Promise<Result>,
  onProgress: (done: number) => void,
): Promise<Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = [];
  const left = ids.values();
  let done = 0;
  const worker = async () => {
    for (const id of left) {
      outcomes.push(await outcomeOf(id, work));
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const order = new Map(ids.map((id, place) => [id, place]));
  return outcomes.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
}

async function outcomeOf<Result>(
  id: string,
  work: (id: string) => Promise<Result>,
): Promise<Outcome<Result>> {
  try {
    return { id, result: await work(id) };
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
