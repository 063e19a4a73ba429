/** What a button brings back: the revision of its screen, its id and its argument. Telegram takes 64 bytes of it. */
export const longest = { payload: 64, id: 20, arg: 32 } as const;

export interface Payload {
  readonly revision: number;
  readonly id: string;
  readonly arg: string;
}

export function writePayload({ revision, id, arg }: Payload): string {
  if (Buffer.byteLength(arg) > longest.arg)
    throw new RangeError(
      `the argument of button ${id} is longer than ${longest.arg} bytes: give it a shorter id`,
    );
  return `${revision.toString(36)}.${id}.${arg}`;
}

/** Whatever somebody's client sent; undefined when no screen of ours can have held it. */
export function readPayload(text: string): Payload | undefined {
  const match = /^([0-9a-z]{1,10})\.(!?[a-z0-9_]{1,20})\.(.*)$/s.exec(text);
  if (!match || Buffer.byteLength(text) > longest.payload) return undefined;
  const [, revision = "", id = "", arg = ""] = match;
  return { revision: Number.parseInt(revision, 36), id, arg };
}
