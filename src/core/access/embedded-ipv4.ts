const GROUPS = 8;

/**
 * The positions of an IPv4 address in the 16 bytes of an IPv6 address, by the prefix that announces it. The local NAT64
 * prefix 64:ff9b:1::/48 leaves its length to the operator (RFC 8215), so all layouts of RFC 6052 apply to it.
 */
const FORMS: readonly { readonly prefix: readonly number[]; readonly at: readonly (readonly number[])[] }[] =
  [
    // IPv4-compatible, IPv4-mapped and IPv4-translated addresses.
    { prefix: [0, 0, 0, 0, 0, 0], at: [[12, 13, 14, 15]] },
    { prefix: [0, 0, 0, 0, 0, 0xffff], at: [[12, 13, 14, 15]] },
    { prefix: [0, 0, 0, 0, 0xffff, 0], at: [[12, 13, 14, 15]] },
    // 6to4.
    { prefix: [0x2002], at: [[2, 3, 4, 5]] },
    // NAT64.
    { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: [[12, 13, 14, 15]] },
    {
      prefix: [0x64, 0xff9b, 1],
      at: [
        [6, 7, 9, 10],
        [7, 9, 10, 11],
        [9, 10, 11, 12],
        [12, 13, 14, 15],
      ],
    },
  ];

/**
 * The IPv4 addresses that a valid IPv6 address may stand for, because it translates to them or tunnels to them. Empty for
 * an IPv4 address and for an IPv6 address that is only itself, `::` and `::1` among them.
 */
export function embeddedIpv4(address: string): string[] {
  if (!address.includes(':')) return [];
  const groups = groupsOf(address);
  if (groups.slice(0, -1).every(group => group === 0) && (groups.at(-1) ?? 0) <= 1) return [];
  const byte = (index: number) => ((groups[index >> 1] ?? 0) >> (index % 2 === 0 ? 8 : 0)) & 0xff;
  const layouts =
    FORMS.find(({ prefix }) => prefix.every((group, index) => groups[index] === group))?.at ?? [];
  const candidates = layouts.map(bytes => bytes.map(byte).join('.'));
  // Zeros are what a layout reads where another one has its address.
  const likely = candidates.filter(each => !each.startsWith('0.'));
  return likely.length > 0 ? likely : candidates;
}

function groupsOf(address: string): number[] {
  const plain = address
    .replace(/%.*$/, '')
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts: string[]) =>
      hexGroups(parts.slice(0, 4).map(Number)),
    );
  const [head = [], tail] = plain.split('::').map(part => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? [] : Array<string>(GROUPS - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...(tail ?? [])].map(group => Number.parseInt(group, 16));
}

function hexGroups([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
