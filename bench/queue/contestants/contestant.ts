import { setTimeout as delay } from "node:timers/promises";
import type { Server } from "../../shared/postgres.ts";

/** The same work for everybody: so many posts, each to all channels. */
export interface Load {
  readonly posts: number;
  readonly channels: number;
}

export const deliveriesOf = ({ posts, channels }: Load): number => posts * channels;

/** A queue under measurement. Both answer with seconds; what has to be there beforehand is made outside of them. */
export interface Contestant {
  readonly name: string;
  /** What differs from its defaults, for the table. */
  readonly settings: string;
  drain(server: Server, load: Load): Promise<number>;
}

/** How long `work` takes until `done` says so; asked seldom enough to cost nothing. */
export async function timed(
  server: Server,
  work: () => Promise<unknown> | unknown,
  done: () => Promise<boolean> | boolean,
): Promise<number> {
  await server.settle();
  const began = performance.now();
  await work();
  while (!(await done())) await delay(2);
  return (performance.now() - began) / 1_000;
}

/** What a queue that stores no messages of its own is given for each delivery. */
export interface Job {
  readonly channel: number;
  readonly text: string;
}
