/** Berths with their depth and length in metres, smallest first. */
export const BERTHS = [
  { name: 'north', depth: 3, length: 20 },
  { name: 'quay', depth: 6, length: 60 },
  { name: 'roads', depth: 11, length: 180 },
];

/** The smallest berth that a ship fits, or null if it must stay at anchor. */
export function berthFor(ship) {
    let fitting = BERTHS.filter((berth) => berth.depth > ship.draught && berth.length >= ship.length)
    if (fitting.length == 0) return null
    return fitting[0].name
}
