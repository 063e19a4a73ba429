import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly perSecond: number;
  readonly count: number;
  readonly body: (index: number) => object;
}

export interface Brought {
  /** Milliseconds from asking to the answer, of every request. */
  readonly latencies: readonly number[];
  readonly seconds: number;
}

/** Sends requests at a steady pace, independent of the answers; an answer other than 200 ends the measurement. */
export async function bring({ url, headers, perSecond, count, body }: Load): Promise<Brought> {
  const dispatcher = new Agent({ connections: 50, keepAliveTimeout: 60_000 });
  const latencies: number[] = [];
  const began = performance.now();
  const under: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const due = began + (index / perSecond) * 1000;
    const wait = due - performance.now();
    if (wait > 0) await delay(wait);
    under.push(ask(index));
  }
  await Promise.all(under);
  const seconds = (performance.now() - began) / 1000;
  await dispatcher.close();
  return { latencies, seconds };

  async function ask(index: number): Promise<void> {
    const asked = performance.now();
    const answer = await request(url, {
      method: "POST",
      dispatcher,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body(index)),
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
    latencies.push(performance.now() - asked);
  }
}
