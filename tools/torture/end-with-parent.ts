/**
 * For `--import`: a hub that the torture starts ends with it, also where the torture was killed. TORTURE_CLOCK_MS sets the
 * clock of its process ahead, or behind where it is negative.
 */
process.on('disconnect', () => process.exit(1))
process.channel?.unref()

const offsetMs = Number(process.env.TORTURE_CLOCK_MS ?? 0)
const Exact = Date

if (offsetMs !== 0) {
  const read = () => Exact.now() + offsetMs
  globalThis.Date = new Proxy(Exact, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [read()] : args, self),
    apply: () => new Exact(read()).toString(),
    get: (target, name, self) => (name === 'now' ? read : Reflect.get(target, name, self)),
  })
}
