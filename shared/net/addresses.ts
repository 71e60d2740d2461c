// Addresses that nothing from outside may make us call: this machine, its networks, and the services of a cloud's own machines (requirements 8; RFC 6890).
import { BlockList, isIP } from 'node:net';

/** What an address is, as far as a call from here is concerned. `never`: no policy makes it right (metadata services, multicast, translations). */
export type Reach = 'public' | 'private' | 'never';

/** A literal address, with or without the brackets of a URL; what is no address is a name, and names are resolved first. */
export const literalOf = (host: string): string | undefined => {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? undefined : bare;
};

export const reachOf = (address: string): Reach => {
  const plain = unmapped(address.split('%')[0] ?? address);
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(plain) === 0 || NEVER.check(plain, family)) return 'never';
  return PRIVATE.check(plain, family) ? 'private' : 'public';
};

/** `::ffff:10.0.0.1`, its hexadecimal spelling, and the older `::10.0.0.1` are 10.0.0.1. */
const unmapped = (address: string): string => {
  const tail = /^::(?:ffff:)?([\da-f]+:[\da-f]+|\d+\.[\d.]+)$/i.exec(address)?.[1];
  if (tail === undefined) return address;
  const [high, low] = tail.split(':').map((part) => Number.parseInt(part, 16));
  if (isIP(tail) === 4 || high === undefined || low === undefined) return tail;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

type Range = readonly [address: string, prefix: number];

const listOf = (ranges: readonly Range[]): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
};

const PRIVATE = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
]);

const NEVER = listOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fd00:ec2::', 32],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);
