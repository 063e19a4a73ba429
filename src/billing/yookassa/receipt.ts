import { cut } from "../../kernel/words/index.ts";
import type { Contact } from "./contact.ts";
import { sum } from "./shapes.ts";

/** What 54-FZ requires about what is sold, from the settings. */
export interface ReceiptSettings {
  readonly vatCode: number;
  readonly paymentSubject: string;
  readonly paymentMode: string;
  readonly taxSystemCode?: number | undefined;
}

const longestName = 128;

/** A receipt with one line: the package. */
export function receiptOf(
  { vatCode, paymentSubject, paymentMode, taxSystemCode }: ReceiptSettings,
  { contact, name, amount }: { readonly contact: Contact; readonly name: string; readonly amount: number },
) {
  return {
    customer: contact.kind === "email" ? { email: contact.value } : { phone: contact.value },
    items: [
      {
        description: cut(name, longestName),
        quantity: "1.00",
        amount: sum(amount),
        vat_code: vatCode,
        payment_subject: paymentSubject,
        payment_mode: paymentMode,
      },
    ],
    ...(taxSystemCode !== undefined && { tax_system_code: taxSystemCode }),
  };
}
