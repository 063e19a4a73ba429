import type { ICorePlatform } from "@mtcute/core";

export type MtcuteLog = (line: string) => void;

/** Warnings and errors; lower levels log every packet. */
const logLevel = 2;

/** What mtcute needs from its runtime. We close connections ourselves, so there is no process-exit hook. */
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

/** mtcute's log formats; bytes are shown by their length only, since they may be secret. */
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
