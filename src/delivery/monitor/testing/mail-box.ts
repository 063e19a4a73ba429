import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface MailBox {
  readonly url: string;
  readonly received: { from: string; to: string[]; source: string }[];
  /** Refuses all letters from now on, or accepts them again. */
  refuse(refusing: boolean): void;
  close(): Promise<void>;
}

/** A mail server that keeps the letters it gets. */
export async function startMailBox(): Promise<MailBox> {
  const received: MailBox["received"] = [];
  let refusing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) => done(refusing ? new Error("mailbox unavailable") : null),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : "",
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString("utf8"),
        });
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: (next) => {
      refusing = next;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
