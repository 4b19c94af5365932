/** The messages that the upstream takes of a number in a second, by what it is connected to and its throughput level. */
export const SEND_RATES = { standard: 80, high: 1000, onBusinessApp: 20 }
