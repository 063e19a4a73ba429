/** The payload of a button: the revision of its screen, its id and its argument. Telegram allows 64 bytes. */
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

/** Parses any client input; undefined if no screen of ours can have contained it. */
export function readPayload(text: string): Payload | undefined {
  const match = /^([0-9a-z]{1,10})\.(!?[a-z0-9_]{1,20})\.(.*)$/s.exec(text);
  if (!match || Buffer.byteLength(text) > longest.payload) return undefined;
  const [, revision = "", id = "", arg = ""] = match;
  return { revision: Number.parseInt(revision, 36), id, arg };
}
