/** Addresses that must not be reached, by their trick. `PORT` is the port of a server that really listens. */

/** Ways to write a host that is not public. A browser, a resolver or a careless check would misread each. */
export const hosts: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1", "127.255.255.254", "localhost", "LOCALHOST", "localhost.", "0.0.0.0", "0"],
  "loopback in short": ["127.1", "127.0.1"],
  "loopback as a decimal number": ["2130706433"],
  "loopback in octal": ["0177.0.0.1", "017700000001", "0177.0.0.01"],
  "loopback in hexadecimal": ["0x7f000001", "0x7f.1", "0x7F.0x0.0x0.0x1"],
  "loopback with an overflow": ["127.0.0.257", "4294967297"],
  "loopback in other digits": ["１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.0.0.%31"],
  "IPv6 loopback": ["[::1]", "[0:0:0:0:0:0:0:1]", "[::]"],
  "IPv4 mapped into IPv6": ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0:127.0.0.1]", "[::127.0.0.1]"],
  "IPv4 through NAT64, 6to4 and Teredo": [
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
  ],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "[fc00::1]", "[fd12:3456:789a::1]"],
  "link-local": ["169.254.0.1", "[fe80::1]", "[fec0::1]"],
  metadata: [
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "168.63.129.16",
  ],
  "carrier-grade NAT": ["100.64.0.1"],
  "multicast and broadcast": ["224.0.0.1", "255.255.255.255", "[ff02::1]"],
};

/** Whole addresses whose trick is not only in the host. */
export const urls: Readonly<Record<string, readonly string[]>> = {
  "a user name that looks like the host": [
    "http://example.com@127.0.0.1:PORT/",
    "http://example.com:80@127.0.0.1:PORT/",
    "http://example.com%2f@127.0.0.1:PORT/",
    "http://user:password@127.0.0.1:PORT/",
  ],
  "a fragment or query that looks like the host": [
    "http://127.0.0.1:PORT#@example.com/",
    "http://127.0.0.1:PORT?@example.com/",
    "http://127.0.0.1:PORT\\@example.com/",
  ],
  "slashes, tabs and line ends that a parser forgives": [
    "http:127.0.0.1:PORT/",
    "http:/127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT/",
    "http://127.0.0.1:PORT\t/",
    "ht\ntp://127.0.0.1:PORT/",
    " http://127.0.0.1:PORT/",
  ],
  "another scheme": [
    "file:///etc/passwd",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_GET",
    "data:text/plain,inside",
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/info",
    "javascript:alert(1)",
  ],
  "a privileged port": ["http://example.com:22/", "http://example.com:25/", "http://example.com:6/"],
  "no address at all": ["", "//", "http://", "http://[::1", "http://127.0.0.1:99999/"],
};

/** Ways to write the address of a database that is not public; the driver reads such addresses by rules of its own. */
export const databases: readonly string[] = [
  "postgres://postgres@127.0.0.1:PORT,127.0.0.1:PORT/postgres",
  "postgres://postgres@:PORT/postgres",
  "postgres:///postgres?host=127.0.0.1&port=PORT",
  "postgres:///postgres?host=/var/run/postgresql",
  "postgres://%2Fvar%2Frun%2Fpostgresql/postgres",
  "postgres://%2Ftmp:PORT/postgres",
  "postgres://example.com@127.0.0.1:PORT/postgres?sslmode=require",
  "http://127.0.0.1:PORT/",
  "not an address",
];
