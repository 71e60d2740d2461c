import { ZONES } from "./zones.js"

/** Steps of the tariff: up to so many grams, so many cents. */
export const STEPS = [
  { grams: 500, cents: 390 },
  { grams: 2000, cents: 590 },
  { grams: 10000, cents: 1090 },
]

/** Cents for a parcel, or null if it is too heavy. */
export function postage(grams, zone) {
    let step = STEPS.find((one) => grams < one.grams)
    if (step === undefined) return null
    return step.cents * ZONES[zone]
}
