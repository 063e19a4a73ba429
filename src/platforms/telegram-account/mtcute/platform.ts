import type { ICorePlatform } from "@mtcute/core";

export type MtcuteLog = (line: string) => void;

/** Warnings and worse; below it mtcute tells about every packet. */
const logLevel = 2;

/** What mtcute asks of the system it runs on. Closing is ours, so nothing is hooked to the end of the process. */
export function nodePlatform(log: MtcuteLog | undefined): ICorePlatform {
  return {
    beforeExit: () => () => {},
    getDefaultLogLevel: () => logLevel,
    log(_color, _level, tag, format, args) {
      log?.(`[${tag}] ${filled(format, args)}`);
    },
    getDeviceModel: () => "Molva",
  };
}

/** mtcute's formats; bytes are told by their number, since they may be secret. */
function filled(format: string, args: readonly unknown[]): string {
  let next = 0;
  return format.replace(/%[a-z]/gi, (mark) => {
    if (next >= args.length) return mark;
    const value = args[next];
    next += 1;
    if (value instanceof Uint8Array) return `${value.length} bytes`;
    if (value instanceof Error) return value.message;
    return typeof value === "object" ? "[object]" : String(value);
  });
}
