import { codeOf } from "../kernel/errors/index.ts";

/** The server could not listen on its port; the message is one sentence that says what to do. */
export class ListenError extends Error {}

type Address = { host: string; port: number };

const sentences: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is taken by another program; stop it or choose another port with MOLVA_PORT.`,
  EACCES: ({ port }) =>
    `Port ${port} needs more rights than this user has; choose one above 1023 with MOLVA_PORT.`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine; set MOLVA_HOST to one that is.`,
  ENOTFOUND: ({ host }) => `The name ${host} has no address; set MOLVA_HOST to an address of this machine.`,
};

export function listenFailure(error: unknown, address: Address): unknown {
  const sentence = sentences[codeOf(error) ?? ""];
  return sentence ? new ListenError(sentence(address), { cause: error }) : error;
}
