import { connect, type LookupFunction, type Socket } from "node:net";

/** Opens a plain connection. Throws the signal's reason if that fires first. */
export function openSocket(
  to: { readonly host: string; readonly port: number; readonly lookup?: LookupFunction },
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...to, autoSelectFamily: true });
    const giveUp = () => socket.destroy(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      signal.removeEventListener("abort", giveUp);
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
