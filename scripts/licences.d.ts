export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly dev?: boolean;
}
export const licencesFile: string;
export function installedPackages(): InstalledPackage[];
export function errorOf(installed: InstalledPackage): string | undefined;
export function accepts(expression: string): boolean;
export function renderLicences(packages?: readonly InstalledPackage[]): string;
