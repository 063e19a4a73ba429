/** The server could not take its port; the message is one sentence with the way out. */
export class ListenError extends Error {}

type Place = { host: string; port: number };

const sentences: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is taken by another program; stop it or choose another port with MOLVA_PORT.`,
  EACCES: ({ port }) =>
    `Port ${port} needs more rights than this user has; choose one above 1023 with MOLVA_PORT.`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine; set MOLVA_HOST to one that is.`,
  ENOTFOUND: ({ host }) => `The name ${host} has no address; set MOLVA_HOST to an address of this machine.`,
};

export function listenFailure(error: unknown, place: Place): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const sentence = sentences[error.code];
  return sentence ? new ListenError(sentence(place), { cause: error }) : error;
}
