import { arrivalsOf, boardLine } from './arrivals.js';

/** The whole board of a day; an empty day says so. */
export function board(ships, day) {
    let lines = arrivalsOf(ships, day).map(boardLine)
    if (lines.length == 0) return 'no arrivals on ' + day
    return lines.join("\n")
}
