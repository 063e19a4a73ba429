/** What a person typed into a form's field, without the spaces around it. */
export function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}

/** A number, or undefined where the field was left empty. */
export function numberIn(form: FormData, name: string): number | undefined {
  const text = textIn(form, name);
  return text === "" ? undefined : Number(text);
}

/** Several values in one field: on lines of their own, or with commas or spaces between. */
export function listIn(form: FormData, name: string): string[] {
  return textIn(form, name)
    .split(/[\s,;]/)
    .filter((part) => part !== "");
}
