const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** Whether a seed may be sown in a month; a season may reach over the turn of the year. */
export function isSown(seed, month) {
    let at = MONTHS.indexOf(month)
    let first = MONTHS.indexOf(seed.from)
    let last = MONTHS.indexOf(seed.until)
    if (at == -1) return false
    return first <= last ? first <= at && at <= last : at >= first || at <= last
}
