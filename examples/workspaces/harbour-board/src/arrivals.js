import { berthFor } from "./berths.js"

/** Arrivals of one day, earliest first. */
export function arrivalsOf(ships, day) {
    let today = ships.filter((ship) => ship.day == day);
    return today.toSorted((left, right) => left.minute - right.minute);
}

/** One line of the board: time, name, berth. */
export function boardLine(ship) {
    let time = clock(ship.minute)
    let berth = berthFor(ship)
    return time + '  ' + ship.name + '  ' + (berth === null ? 'at anchor' : 'berth ' + berth)
}

/** Minutes after midnight as HH:MM. */
export function clock(minute) {
    let hours = Math.floor(minute / 60)
    return String(hours).padStart(2, '0') + ':' + String(minute % 60).padStart(2, '0')
}
