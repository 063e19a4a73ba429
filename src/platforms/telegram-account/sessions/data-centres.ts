export interface DataCentre {
  readonly id: number;
  readonly ipAddress: string;
  readonly port: number;
  readonly testMode: boolean;
}

const production: Readonly<Record<number, string>> = {
  1: "149.154.175.53",
  2: "149.154.167.51",
  3: "149.154.175.100",
  4: "149.154.167.91",
  5: "91.108.56.130",
};
const test: Readonly<Record<number, string>> = {
  1: "149.154.175.10",
  2: "149.154.167.40",
  3: "149.154.175.117",
};

/** The address of Telegram's data centre with this number, if there is one. */
export function dataCentre(id: number, testMode: boolean): DataCentre | undefined {
  const ipAddress = (testMode ? test : production)[id];
  return ipAddress === undefined ? undefined : { id, ipAddress, port: 443, testMode };
}
