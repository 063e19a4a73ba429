import type { Watch } from "./gate.ts";
import type { Trap } from "./trap.ts";

/**
 * Parses PostgreSQL's protocol far enough to know which statement is sent and when it is done: a statement's text comes
 * with Parse, its run with Bind, and the Sync after it is answered by one ReadyForQuery when it is committed.
 */
export function watchStatements(trap: Trap): Watch {
  const texts = new Map<string, string>();
  /** The statements before each unanswered Sync; the first answer ends the sign-in. */
  const underWay: string[][] = [[]];
  let asked: string[] = [];
  const requests = frames({ untypedFirst: true });
  const answers = frames({ untypedFirst: false });

  return {
    request(bytes) {
      for (const { type, body } of requests(bytes)) {
        if (type === "P") {
          const [name, text] = strings(body, 2);
          texts.set(name, text);
        } else if (type === "B") {
          const [, name] = strings(body, 2);
          const text = texts.get(name) ?? "";
          if (trap.springs("before", ({ statement }) => statement !== undefined && text.includes(statement)))
            return false;
          asked.push(text);
        } else if (type === "S" || type === "Q") {
          underWay.push(asked);
          asked = [];
        }
      }
      return true;
    },
    answer(bytes) {
      for (const { type } of answers(bytes)) {
        if (type !== "Z") continue;
        const done = underWay.shift() ?? [];
        const isDone = (statement?: string) =>
          statement !== undefined && done.some((text) => text.includes(statement));
        if (trap.springs("after", ({ statement }) => isDone(statement))) return false;
      }
      return true;
    },
  };
}

interface Frame {
  readonly type: string;
  readonly body: Buffer;
}

/** Cuts a stream into the protocol's messages; the first one of a client has no type. */
function frames({ untypedFirst }: { untypedFirst: boolean }): (bytes: Buffer) => Frame[] {
  let rest: Buffer = Buffer.alloc(0);
  let typeLength = untypedFirst ? 0 : 1;
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const whole: Frame[] = [];
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < end) break;
      const type = typeLength === 0 ? "" : String.fromCharCode(rest[0] ?? 0);
      whole.push({ type, body: rest.subarray(typeLength + 4, end) });
      rest = rest.subarray(end);
      typeLength = 1;
    }
    return whole;
  };
}

/** The strings a message begins with, each ended by a zero. */
function strings(body: Buffer, count: 2): [string, string] {
  const [first = "", second = ""] = body.toString("utf8").split("\0", count);
  return [first, second];
}
