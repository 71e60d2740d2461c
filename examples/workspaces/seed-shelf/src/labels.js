import { isSown } from "./calendar.js"

/** The label of a seed: name, depth in the soil, distance in the row. */
export function label(seed) {
    let depth = seed.depth == 0 ? 'on the soil' : seed.depth + ' cm deep'
    return seed.name + ': ' + depth + ', every ' + seed.every + ' cm'
}

/** Labels of everything that is sown in a month, by name. */
export function shelf(seeds, month) {
    let due = seeds.filter((seed) => isSown(seed, month))
    return due.map(label).toSorted().join("\n")
}
