export function errorsOf(regexp: RegExp): string[];
