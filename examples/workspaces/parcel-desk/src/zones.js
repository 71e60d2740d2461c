/** How much farther away costs more. */
export const ZONES = { home: 1, near: 2, far: 4 }
