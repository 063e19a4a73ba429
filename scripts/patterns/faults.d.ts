export function faultsOf(regexp: RegExp): string[];
