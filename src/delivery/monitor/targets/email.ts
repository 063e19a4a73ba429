import type { Transporter } from "nodemailer";
import { z } from "zod";
import { letterText } from "../alert-letter.ts";
import type { Delivered, LetterToSend } from "./letter-to-send.ts";

export const emailConfig = z.object({
  to: z.union([z.email().transform((address) => [address]), z.array(z.email()).min(1).max(50)], {
    error: "One e-mail address or a list of them is needed",
  }),
  from: z.string().min(3).optional(),
});

/** The mail server that alerts go through. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

export interface Mail {
  readonly to: readonly string[];
  readonly from?: string | undefined;
  readonly subject: string;
  readonly text: string;
  /** Stays the same with every try. */
  readonly id: string;
  readonly date: Date;
}

/** A monitor run must not wait for a dead server; the URL's own parameters win. */
const timeouts = { connectionTimeout: "10000", greetingTimeout: "10000", socketTimeout: "20000" };

/** `url` as in `smtps://user:password@mail.example.com`; `from` is used by targets that name no sender. */
export function createMailer({ url, from }: { url: string; from?: string | undefined }): Mailer {
  const server = new URL(url);
  for (const [name, value] of Object.entries(timeouts)) {
    if (!server.searchParams.has(name)) server.searchParams.set(name, value);
  }
  let transport: Transporter | undefined;
  const sender = from ?? `Molva <molva@${server.hostname}>`;
  return {
    async send(mail) {
      const { createTransport } = await import("nodemailer");
      transport ??= createTransport(server.href);
      await transport.sendMail({
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
    },
    close: () => transport?.close(),
  };
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
