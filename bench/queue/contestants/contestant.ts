import { setTimeout as delay } from "node:timers/promises";

/** The same work for all contestants: this many posts, each to all channels. */
export interface Load {
  readonly posts: number;
  readonly channels: number;
}

export const deliveriesOf = ({ posts, channels }: Load): number => posts * channels;

/** A queue under measurement, each time in a database of its own. Results are seconds; preparation is not counted. */
export interface Contestant {
  readonly name: string;
  /** What it was given, for the table. */
  readonly settings: string;
  drain(databaseUrl: string, load: Load): Promise<number>;
}

/** What a queue that stores no messages of its own is given for each delivery. */
export interface Job {
  readonly channel: number;
  readonly text: string;
}

/** How long it takes from `start` until `done`; asked seldom enough to cost nothing. */
export async function timed(
  start: () => Promise<unknown> | unknown,
  done: () => Promise<boolean> | boolean = () => true,
): Promise<number> {
  const began = performance.now();
  await start();
  while (!(await done())) await delay(2);
  return (performance.now() - began) / 1_000;
}
