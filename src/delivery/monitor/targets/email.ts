import type { Socket } from "node:net";
import { z } from "zod";
import { limitReceived, openSocket, untilAborted, withDeadline } from "../../../kernel/outbound/index.ts";
import { letterText } from "../alert-letter.ts";
import type { Delivered, LetterToSend } from "./letter-to-send.ts";

export const emailConfig = z.object({
  to: z.union([z.email().transform((address) => [address]), z.array(z.email()).min(1).max(50)], {
    error: "One e-mail address or a list of them is needed",
  }),
  from: z.string().min(3).optional(),
});

/** The mail server through which alerts are sent. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  readonly to: readonly string[];
  readonly from?: string | undefined;
  readonly subject: string;
  readonly text: string;
  /** Stays the same in every retry. */
  readonly id: string;
  readonly date: Date;
}

export interface MailLimits {
  readonly connectMs: number;
  /** The timeout until the server greets, and between any two of its answers. */
  readonly silenceMs: number;
  readonly wholeMs: number;
  /** The limit for everything that the server sends. */
  readonly maxBytes: number;
}

/** A monitor run must not wait for a dead server. */
const usual: MailLimits = { connectMs: 10_000, silenceMs: 20_000, wholeMs: 60_000, maxBytes: 1024 * 1024 };

export interface MailServer {
  /** For example `smtps://user:password@mail.example.com`. */
  readonly url: string;
  /** Used for targets without their own sender. */
  readonly from?: string | undefined;
  readonly limits?: MailLimits;
}

/** One connection per letter: alerts are rare, and our own connection can be closed at its deadline. */
export function createMailer({ url, from, limits = usual }: MailServer): Mailer {
  const sender = from ?? `Molva <molva@${new URL(url).hostname}>`;
  return {
    send: (mail) =>
      withDeadline(limits.wholeMs, undefined, async (signal) => {
        const { createTransport } = await import("nodemailer");
        const socket = await connectTo(new URL(url), limits);
        try {
          const limit = limitReceived(socket, limits);
          const transport = createTransport({
            url,
            getSocket: (_, use) => use(null, { connection: socket }),
          });
          const sent = transport.sendMail({
            from: mail.from ?? sender,
            to: [...mail.to],
            subject: mail.subject,
            text: mail.text,
            messageId: `<${mail.id}@molva>`,
            date: mail.date,
            headers: { "auto-submitted": "auto-generated" },
            disableFileAccess: true,
            disableUrlAccess: true,
          });
          await untilAborted(sent, signal, limit);
        } finally {
          socket.destroy();
        }
      }),
  };
}

/** The default ports of nodemailer. */
const usualPorts: Readonly<Record<string, number>> = { "smtps:": 465, "smtp:": 587 };

function connectTo({ hostname, port, protocol }: URL, { connectMs }: MailLimits): Promise<Socket> {
  const host = hostname.replace(/^\[|\]$/g, "");
  return withDeadline(connectMs, undefined, (signal) =>
    openSocket({ host, port: Number(port || usualPorts[protocol] || 587) }, signal),
  );
}

export async function sendToEmail(
  send: LetterToSend,
  { mailer }: { mailer: Mailer | undefined },
): Promise<Delivered> {
  const { to, from } = emailConfig.parse(send.config);
  if (!mailer) return { ok: false, error: "no mail server is set: MOLVA_SMTP_URL" };
  try {
    await mailer.send({
      to,
      from,
      subject: send.letter.subject,
      text: letterText(send.letter),
      id: `${send.alertId}.${send.targetId}`,
      date: send.raisedAt,
    });
    return { ok: true };
  } catch (error) {
    return { ok: false, error: `the mail server did not take it: ${reasonOf(error)}` };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
